import RulesEval
import RulesLang
import RulesSolver

// Seeds. Purely random requests refute next to nothing: the field that a condition compares with
// `'candidate'` must be `'candidate'`, or nearly. So the text of the rules is searched for names and for
// the operands that each is compared with. This shares no code with the compiler of conditions, and
// need be neither correct nor complete: the evaluator decides every generated request.

/// The seeds of request generation: names and constants of rules and claims, and which are
/// compared.
struct RequestSeeds {
  /// A possible value of a field.
  enum Ingredient: Hashable {
    /// One of `constants`.
    case constant(Int)
    /// The value of `request.auth.uid`.
    case uid
    /// A segment of the document's path.
    case segment
    /// The value of `request.time`.
    case time
    /// The value of another field.
    case field(Text)
    /// A string, list or map with about this many parts.
    case sized(Int)
    /// A value of one of these types.
    case typed(TypeSet)
  }

  /// The uses of one name.
  struct Place {
    /// The operands that it is compared with.
    var beside: [Ingredient] = []
    /// The members that it is tested for.
    var inside: [Ingredient] = []
    /// The names of members that are read from it.
    var fields: [Text] = []
  }

  /// The database of the files.
  private(set) var database = DatabaseName.standard
  /// The field names.
  private(set) var fields: [Text] = []
  /// The names of claims in ID tokens.
  private(set) var claims: [Text] = []
  /// The uses of each name.
  private(set) var places: [Text: Place] = [:]
  /// The literals.
  private(set) var constants: [Value] = []
  /// The literal lists of strings, which may be keys.
  private(set) var keyLists: [[Text]] = []
  /// True if conditions look up documents.
  private(set) var looksUp = false

  /// The pseudo-name for captures and path segments.
  static let segmentName: Text = "$segment"
  /// The pseudo-name for user IDs.
  static let uidName: Text = "$uid"

  private var known: [ConstantKey: Int] = [:]

  /// Reads the conditions of some files that can match documents of a path.
  ///
  /// - Parameter functions: Added conditions of the first file.
  init(_ files: [Checked], at path: [Text?], with functions: [FunctionID] = []) {
    if let first = files.first { database = first.database }
    for (place, rules) in files.enumerated() {
      var reading = SeedReader(rules, startingWith: self)
      reading.read(at: path)
      if place == 0 { for function in functions { reading.read(function) } }
      self = reading.seeds
    }
  }

  // MARK: Collecting

  /// Records the name of a field or a claim.
  mutating func note(_ name: Text, isClaim: Bool) {
    guard places.count < Strategy.requests, !name.isEmpty else { return }
    if isClaim {
      if !claims.contains(name) { claims.append(name) }
    } else if !fields.contains(name) {
      fields.append(name)
    }
    if places[name] == nil { places[name] = Place() }
  }

  /// Records that a name is a member of another one.
  mutating func note(_ name: Text, of outer: Text) {
    guard places[outer]?.fields.contains(name) == false else { return }
    places[outer]?.fields.append(name)
  }

  /// Records comparison operands of a name.
  mutating func note(_ name: Text, beside found: [Ingredient]) {
    Self.add(found, to: &places[name, default: Place()].beside)
  }

  /// Records members that a name is tested for.
  mutating func note(_ name: Text, contains found: [Ingredient]) {
    Self.add(found, to: &places[name, default: Place()].inside)
  }

  private static func add(_ found: [Ingredient], to known: inout [Ingredient]) {
    for one in found where known.count < Strategy.requests && !known.contains(one) {
      known.append(one)
    }
  }

  /// Records keys that occur in one list.
  mutating func note(keys: [Text]) {
    if keyLists.count < Strategy.requests, !keyLists.contains(keys) { keyLists.append(keys) }
  }

  /// Records that documents are looked up.
  mutating func noteLookup() { looksUp = true }

  /// Returns the ingredient of a constant; that of the first constant if there are too many.
  mutating func constant(_ value: Value) -> Ingredient {
    let key = ConstantKey(of: value)
    if let known = known[key] { return .constant(known) }
    guard constants.count < Strategy.requests else { return .constant(0) }
    constants.append(value)
    known[key] = constants.count - 1
    return .constant(constants.count - 1)
  }
}
