import RulesEval
import RulesLang

/// A change of one statement against a request that it allows.
struct StatementChange {
  /// What is done.
  enum Kind: CaseIterable {
    /// The fields that the request changes must stay as they are.
    case pin
    /// The condition of the claim is asked for.
    case demand
    /// The method is taken from the statement.
    case remove
  }

  /// The rules with the change.
  let rules: SourceText
  /// The change in a sentence.
  let sentence: String

  /// Makes the change; nil if there is none of the kind.
  init?(_ kind: Kind, against found: Counterexample, of claim: Claim, in checked: Checked) {
    guard let allow = found.allow else { return nil }
    let statement = checked.ruleset[allow]
    let source = checked.ruleset.source
    let line = source.line(of: statement.keyword.start)
    let methods = checked.methods[allow.index]
    guard
      let (wanted, sentence) = Self.asked(
        kind, against: found, of: claim, in: checked, statement: statement, methods: methods)
    else { return nil }
    var asked = wanted
    self.sentence = "line \(line)" + sentence
    let touched = asked.reduce(MethodSet()) { $0.union($1.methods) }
    asked.append((methods.subtracting(touched), nil))
    asked.removeAll { $0.methods.isEmpty || $0.condition == "false" }
    let indent = String(
      repeating: " ", count: source.position(of: statement.range.start).column - 1)
    let condition = statement.condition.map { body in
      let text = source.string(checked.ruleset[body.root].range)
      switch checked.ruleset[body.root].kind {
      case .binary(.or, _, _), .conditional: return "(\(text))"
      default: return text
      }
    }
    let texts = asked.map { part -> String in
      let words = part.methods.phrase
      let all = [condition, part.condition].compactMap { $0 }.joined(separator: " && ")
      return "allow \(words)" + (all.isEmpty ? "" : ": if " + all) + ";"
    }
    var patch = Patch()
    patch.replace(
      statement.range,
      with: texts.isEmpty
        ? "allow \(found.method.word): if false;" : texts.joined(separator: "\n" + indent))
    rules = patch.applied(to: source)
  }

  /// Methods of a statement with what they are asked beside its condition; nil for nothing.
  private typealias Asked = (methods: MethodSet, condition: String?)

  /// What is asked of which methods, and that in words.
  private static func asked(
    _ kind: Kind, against found: Counterexample, of claim: Claim, in checked: Checked,
    statement: Allow, methods: MethodSet
  ) -> ([Asked], String)? {
    switch kind {
    case .pin:
      let names = found.fields.map { $0.literal }.joined(separator: ", ")
      guard !found.fields.isEmpty, found.method == .create || found.method == .update else {
        return nil
      }
      let changed = MethodSet(.create).union(MethodSet(.update)).intersection(methods)
      let asked: [Asked] = [
        (MethodSet(.create), "!request.resource.data.keys().hasAny([\(names)])"),
        (
          MethodSet(.update),
          "!request.resource.data.diff(resource.data).affectedKeys().hasAny([\(names)])"
        ),
      ].filter { !$0.methods.isDisjoint(with: changed) }
      return (
        asked,
        ": \(changed.methods.map { $0.word }.joined(separator: " and ")) must leave "
          + "\(found.fields.map { String($0) }.joined(separator: ", ")) alone"
      )
    case .demand:
      guard case .onlyIf(let condition) = claim.obligation, found.steps.isEmpty,
        let path = ClaimPath(checked.matches[statement.match.index]),
        let text = condition.text.renamed(from: claim.path, to: path)
      else { return nil }
      let scope = claim.scopeMethods.intersection(methods)
      return ([(scope, text.isTight ? text : "(\(text))")], ": what the claim says is asked for")
    case .remove:
      return ([(MethodSet(found.method), "false")], " is not for \(found.method.word)")
    }
  }
}

extension MethodSet {
  /// The words for the methods, as short as rules can say it.
  fileprivate var phrase: String {
    var words: [String] = []
    for (word, group) in [("read", MethodSet.read), ("write", .write)] {
      let named = intersection(group)
      words += named == group ? [word] : named.methods.map { $0.word }
    }
    return words.joined(separator: ", ")
  }
}

extension String {
  /// Whether a condition needs no parentheses in a conjunction, as far as its text tells.
  fileprivate var isTight: Bool {
    !utf8.contains { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "?") }
  }
}

extension Text {
  /// A condition with the variables of one path called as another one calls them; nil if the paths do not
  /// fit.
  fileprivate func renamed(from path: ClaimPath, to other: ClaimPath) -> String? {
    guard path.steps.count == other.steps.count else { return nil }
    var names: [String: String] = [:]
    for (own, theirs) in zip(path.steps, other.steps) {
      switch (own, theirs) {
      case (.capture(let name), .capture(let new)), (.glob(let name), .glob(let new)):
        names[String(name)] = String(new)
      case (.literal(let one), .literal(let two)) where one == two: continue
      default: return nil
      }
    }
    let source = SourceText(name: "", bytes: bytes)
    var found: [UInt8] = []
    var place = 0
    var isMember = false
    for range in source.tokenRanges {
      let word = source.string(range)
      if !isMember, let new = names[word] {
        found += bytes[place..<Int(range.start)] + Array(new.utf8)
        place = Int(range.end)
      }
      isMember = word == "."
    }
    return String(decoding: found + bytes[place...], as: UTF8.self)
  }
}
