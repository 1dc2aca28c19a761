/// The scopes of a ruleset: the names that are visible in each place.
///
/// Scoping is lexical, and functions and variables are two name spaces (Docs/Language.md §5). From inside to
/// outside: the parameters and lets of the function, the captures of the match blocks around the declaration,
/// then `request` and `resource`. Functions: those of the match blocks around, of the service, of the file,
/// then the built-ins. An inner function hides an outer one of the same name with any parameters.
///
/// Because a function sees only the blocks around its own declaration, and can only be called from inside
/// them, the captures that it can see are always the first ones of its caller's: a capture is therefore a
/// slot counted from the outermost block, and one array serves a whole evaluation.
struct Scopes {
  private let ruleset: Ruleset
  private let slots: [MatchFacts]
  private let fileTable: [Text: FunctionID]
  private let serviceTables: [[Text: FunctionID]]
  private let matchTables: [[Text: FunctionID]]
  /// Functions whose name is already declared in their scope.
  let duplicates: [FunctionID]

  init(of ruleset: Ruleset, slots: [MatchFacts]) {
    self.ruleset = ruleset
    self.slots = slots
    var duplicates: [FunctionID] = []
    func table(_ functions: [FunctionID]) -> [Text: FunctionID] {
      var table: [Text: FunctionID] = [:]
      for id in functions {
        if table[ruleset[id].name.text] == nil {
          table[ruleset[id].name.text] = id
        } else {
          duplicates.append(id)
        }
      }
      return table
    }
    fileTable = table(ruleset.fileFunctions)
    serviceTables = ruleset.services.map { table($0.functions) }
    matchTables = ruleset.matches.map { table($0.functions) }
    self.duplicates = duplicates
  }

  /// Returns the function of the rules file that a name refers to in a scope.
  func function(_ name: Text, in owner: ScopeOwner) -> FunctionID? {
    guard case .match(var match) = owner else {
      if case .service(let index) = owner, let id = serviceTables[index][name] { return id }
      return fileTable[name]
    }
    while true {
      if let id = matchTables[match.index][name] { return id }
      guard let parent = ruleset[match].parent else { break }
      match = parent
    }
    return function(name, in: .service(ruleset[match].service))
  }

  /// Returns the meaning of a variable in a scope, not counting a function's own parameters and lets.
  func variable(_ name: Text, in owner: ScopeOwner) -> Binding {
    if case .match(let match) = owner {
      let captures = slots[match.index].captures
      if let slot = captures.lastIndex(where: { $0.text == name }) { return .capture(UInt8(slot)) }
    }
    switch name {
    case "request": return .request
    case "resource": return .resource
    default: return .unknownVariable
    }
  }

  /// Returns every variable name that is visible in a scope, for did-you-mean.
  func variables(in owner: ScopeOwner) -> [String] {
    var names = ["request", "resource"]
    if case .match(let match) = owner {
      names += slots[match.index].captures.map { String($0.text) }
    }
    return names
  }

  /// Returns every function name that is visible in a scope, for did-you-mean.
  func functions(in owner: ScopeOwner) -> [String] {
    ruleset.functions.filter { isVisible($0.owner, from: owner) }.map { String($0.name.text) }
      + Builtins.table.filter { $0.receiver == nil }.map { $0.fullName }
  }

  private func isVisible(_ declared: ScopeOwner, from owner: ScopeOwner) -> Bool {
    switch declared {
    case .file: return true
    case .service(let index):
      switch owner {
      case .file: return false
      case .service(let other): return index == other
      case .match(let match): return ruleset[match].service == index
      }
    case .match(let wanted):
      guard case .match(let start) = owner else { return false }
      var match: MatchID? = start
      while let here = match {
        if here == wanted { return true }
        match = ruleset[here].parent
      }
      return false
    }
  }
}
