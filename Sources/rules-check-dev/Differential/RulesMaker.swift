import RulesEval
import RulesLang

// Whole rule sets at random: a tree of match blocks with captures, globs and literal segments in
// either version, functions on every level that shadow each other and take parameters named like
// captures, overlapping allow statements, and conditions that people write beside made-up ones.

/// A generated rules file, with the patterns that requests need to reach its statements.
struct MadeRules {
  /// A segment of a pattern.
  enum Segment {
    case literal(String)
    /// Any one segment.
    case one
    /// A run of segments.
    case many
  }

  /// The source.
  var text: String
  /// The patterns of blocks with statements, below the database's root.
  var places: [[Segment]]
}

/// Generates rule sets.
struct RulesMaker {
  /// The random number generator.
  var dice: Dice
  private var isNewVersion = true
  private var places: [[MadeRules.Segment]] = []

  /// Creates a generator.
  init(_ dice: Dice) { self.dice = dice }

  /// The context of a declaration.
  struct Surroundings {
    /// The captures in scope; true for those that take a run of segments.
    var captures: [(name: String, isGlob: Bool)] = []
    /// The functions in scope, with the numbers of their parameters.
    var functions: [(name: String, count: Int)] = []
    /// The pattern so far, below the database's root.
    var pattern: [MadeRules.Segment] = []
    /// The nesting depth of the block.
    var depth = 0
    /// The name of the database's capture, or the database's own name.
    var database = "(default)"

    /// True if a glob was captured already.
    var hasGlob: Bool { captures.contains { $0.isGlob } }
  }

  /// Returns a rules file that mostly compiles.
  mutating func make() -> MadeRules {
    isNewVersion = dice.chance(75)
    places = []
    var text = isNewVersion ? "rules_version = '2';\n" : dice.pick(["", "rules_version = '1';\n"])
    var around = Surroundings()
    let isAfter = dice.chance(20)
    let outer = functions(0...2, around: &around)
    if !isAfter { text += outer }
    text += "service cloud.firestore {\n"
    text += functions(0...1, around: &around)
    text += root(around)
    text += "}\n"
    if isAfter { text += outer }
    return MadeRules(text: text, places: places)
  }

  // MARK: Blocks

  /// Returns the block of the database's documents, in one of its possible forms.
  private mutating func root(_ outer: Surroundings) -> String {
    var around = outer
    switch dice.roll(20) {
    case 0:
      around.depth = 1
      return "match /databases/(default)/documents {\n\(body(around))}\n"
    case 1:
      around.captures.append(("db", false))
      around.database = "$(db)"
      around.depth = 2
      return "match /databases/{db} {\nmatch /documents {\n\(body(around))}\n}\n"
    case 2 where isNewVersion:
      around.captures.append(("all", true))
      places.append([.many])
      return "match /{all=**} {\n\(statements(around))}\n"
    default:
      around.captures.append(("database", false))
      around.database = "$(database)"
      around.depth = 1
      return "match /databases/{database}/documents {\n\(body(around))}\n"
    }
  }

  /// Returns functions and blocks, at least one block.
  private mutating func body(_ outer: Surroundings) -> String {
    var around = outer
    let declared = functions(0...2, around: &around)
    let blocks = (0..<dice.roll(2...4)).map { _ in block(around) }.joined()
    return dice.chance(85) ? declared + blocks : blocks + declared
  }

  private mutating func block(_ outer: Surroundings) -> String {
    var around = outer
    around.depth += 1
    let path = pattern(&around)
    let declared = dice.chance(25) ? functions(1...1, around: &around) : ""
    let own = dice.chance(92) ? statements(around) : ""
    if !own.isEmpty { places.append(around.pattern) }
    var inner = ""
    if around.depth < 4, dice.chance(40) {
      inner = (0..<dice.roll(1...2)).map { _ in block(around) }.joined()
    }
    if own.isEmpty, inner.isEmpty { return "" }
    // The engine tries a block's own statements first, whatever the order.
    let parts = dice.chance(80) ? [declared, own, inner] : dice.shuffled([declared, own, inner])
    return "match \(path) {\n\(parts.joined())}\n"
  }

  private static let collections = ["c", "c", "d", "u", "a%20b"]
  private static let names = ["id", "id", "x", "y", "uid", "document", "path"]

  /// Returns a pattern of one to four segments, mostly a collection and a document in it.
  private mutating func pattern(_ around: inout Surroundings) -> String {
    var text = ""
    let count = dice.pick([1, 2, 2, 2, 2, 2, 3, 4])
    for place in 0..<count {
      if dice.chance(place == 0 ? 8 : 12), let glob = glob(&around, isLast: place == count - 1) {
        text += glob
        continue
      }
      let isCollection = around.pattern.count.isMultiple(of: 2)
      if dice.chance(isCollection ? 12 : 82) {
        let name = dice.pick(Self.names)
        if dice.chance(95), text.contains("{\(name)") { continue }
        text += "/{\(name)\(dice.chance(4) ? "=*" : "")}"
        around.captures.append((name, false))
        around.pattern.append(.one)
      } else {
        let name = dice.pick(isCollection ? Self.collections : ["a", "b", "u1"])
        text += "/" + name
        around.pattern.append(.literal(name == "a%20b" ? "a b" : name))
      }
    }
    if text.isEmpty {
      text = "/c"
      around.pattern.append(.literal("c"))
    }
    return text
  }

  private mutating func glob(_ around: inout Surroundings, isLast: Bool) -> String? {
    if around.hasGlob, dice.chance(97) { return nil }
    if !isNewVersion, !isLast, dice.chance(97) { return nil }
    let name = dice.pick(["rest", "p", "document", "x"])
    if around.captures.contains(where: { $0.name == name }) { return nil }
    around.captures.append((name, true))
    around.pattern.append(.many)
    return "/{\(name)=**}"
  }

  // MARK: Statements

  private static let words = [
    "read", "write", "get", "list", "create", "update", "delete", "read, write", "get, list",
    "create, update", "read", "write", "read, write", "update, delete", "GET, Write", "list, get",
    "write, read, nope",
  ]

  private mutating func statements(_ around: Surroundings) -> String {
    (0..<dice.pick([1, 1, 1, 2, 2, 3])).map { _ in
      let words = dice.pick(Self.words)
      let end = dice.pick([";", ";", ";", ""]) + "\n"
      switch dice.roll(30) {
      case 0: return "allow \(words)" + end
      case 1: return "allow \(words): if true" + end
      default:
        var maker = ConditionMaker(dice, around: around)
        let condition = maker.condition(dice.pick([1, 2, 2, 3]))
        dice = maker.dice
        return "allow \(words): if \(condition)" + end
      }
    }.joined()
  }

  // MARK: Functions

  private static let functionNames = ["f", "g", "h", "isOwner", "data", "get"]
  private static let parameters = ["a", "id", "x", "request", "resource", "b", "database"]

  /// Returns functions that later declarations and inner blocks can call.
  private mutating func functions(_ range: ClosedRange<Int>, around: inout Surroundings) -> String {
    var text = ""
    var own: [String] = []
    for _ in 0..<dice.roll(range) {
      let name = dice.pick(dice.chance(90) ? Array(Self.functionNames.dropLast()) : ["get"])
      if own.contains(name) { continue }
      own.append(name)
      let parameters = Array(
        dice.shuffled(Self.parameters).prefix(dice.pick([0, 0, 1, 1, 2])))
      text += function(named: name, parameters: parameters, around: around)
      around.functions.removeAll { $0.name == name }
      around.functions.append((name, parameters.count))
    }
    return text
  }

  private mutating func function(
    named name: String, parameters: [String], around: Surroundings
  ) -> String {
    var inner = around
    // Calling its own name would be recursion, even where an outer function has it too.
    inner.functions.removeAll { $0.name == name }
    if parameters.contains("database") || inner.database == "$(db)" {
      inner.database = "(default)"
    }
    var maker = ConditionMaker(dice, around: inner)
    maker.isInFunction = true
    maker.locals = parameters
    var lets = ""
    if isNewVersion, dice.chance(30) {
      for local in ["v", "w"].prefix(maker.dice.roll(1...2)) {
        lets += "let \(local) = \(maker.value()); "
        maker.locals.append(local)
      }
    }
    let result = maker.dice.chance(80) ? maker.condition(2) : maker.value()
    dice = maker.dice
    let end = dice.chance(80) ? ";" : ""
    return "function \(name)(\(parameters.joined(separator: ", "))) "
      + "{ \(lets)return \(result)\(end) }\n"
  }
}
