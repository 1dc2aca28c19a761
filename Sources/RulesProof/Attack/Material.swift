import RulesEval
import RulesLang
import RulesSolver

// Random requests refute next to nothing: what matters is that the field that a condition compares
// with `'draft'` is `'draft'`, or nearly. So the text of the rules is read for what stands beside
// what. Nothing of the compiler of conditions is used, and nothing depends on what is read being
// right or complete: the evaluator decides every request that is made of it.

/// What requests are made of: the names and constants of rules and claims, and which of them stand
/// beside which.
struct Material {
  /// Something that a field can be made to be.
  enum Ingredient: Hashable {
    /// One of `constants`.
    case constant(Int)
    /// What `request.auth.uid` is.
    case uid
    /// A segment of the document's path.
    case segment
    /// What `request.time` is.
    case time
    /// What another field is.
    case field(Text)
    /// A string, list or map of about so many parts.
    case sized(Int)
    /// A value of one of some types.
    case typed(TypeSet)
  }

  /// What is known of one name.
  struct Place {
    /// What it is compared with.
    var beside: [Ingredient] = []
    /// What it is asked to contain.
    var inside: [Ingredient] = []
    /// The names that are read of it.
    var fields: [Text] = []
  }

  /// The database of the files.
  private(set) var database = DatabaseName.standard
  /// The names of fields.
  private(set) var fields: [Text] = []
  /// The names of claims of tokens.
  private(set) var claims: [Text] = []
  /// What is known of each name.
  private(set) var places: [Text: Place] = [:]
  /// The constants that are written out.
  private(set) var constants: [Value] = []
  /// The lists of strings that are written out, which may be keys.
  private(set) var keyLists: [[Text]] = []
  /// Whether documents are looked up.
  private(set) var looksUp = false

  /// More names of either kind, and more constants, are left out: nobody hits them all anyway.
  private static let greatestCount = 200
  /// The name under which it is kept what captures and paths are compared with.
  static let segmentName: Text = "$segment"
  /// The same of user IDs.
  static let uidName: Text = "$uid"

  /// So many things are remembered beside one name.
  private static let greatestBeside = 48

  private var known: [ConstantKey: Int] = [:]

  /// What conditions about documents of a path are made of, in some files; `functions` are added
  /// conditions of the first.
  init(_ files: [Checked], at path: [Text?], with functions: [FunctionID] = []) {
    if let first = files.first { database = first.database }
    for (place, rules) in files.enumerated() {
      var reading = MaterialReading(rules, startingWith: self)
      reading.read(at: path)
      if place == 0 { for function in functions { reading.read(function) } }
      self = reading.material
    }
  }

  // MARK: Collecting

  /// Remembers a name of a field or a claim.
  mutating func note(_ name: Text, isClaim: Bool) {
    guard places.count < Self.greatestCount, !name.isEmpty else { return }
    if isClaim {
      if !claims.contains(name) { claims.append(name) }
    } else if !fields.contains(name) {
      fields.append(name)
    }
    if places[name] == nil { places[name] = Place() }
  }

  /// Remembers that a name is read of another one.
  mutating func note(_ name: Text, of outer: Text) {
    guard places[outer]?.fields.contains(name) == false else { return }
    places[outer]?.fields.append(name)
  }

  /// Remembers what a name is compared with.
  mutating func note(_ name: Text, beside found: [Ingredient]) {
    Self.add(found, to: &places[name, default: Place()].beside)
  }

  /// Remembers what a name is asked to contain.
  mutating func note(_ name: Text, contains found: [Ingredient]) {
    Self.add(found, to: &places[name, default: Place()].inside)
  }

  private static func add(_ found: [Ingredient], to known: inout [Ingredient]) {
    for one in found where known.count < greatestBeside && !known.contains(one) {
      known.append(one)
    }
  }

  /// Remembers keys that stand together.
  mutating func note(keys: [Text]) {
    if keyLists.count < Self.greatestCount, !keyLists.contains(keys) { keyLists.append(keys) }
  }

  /// Remembers that documents are looked up.
  mutating func noteLookup() { looksUp = true }

  /// The ingredient of a constant.
  mutating func constant(_ value: Value) -> Ingredient {
    let key = ConstantKey(of: value)
    if let known = known[key] { return .constant(known) }
    guard constants.count < Self.greatestCount else { return .constant(0) }
    constants.append(value)
    known[key] = constants.count - 1
    return .constant(constants.count - 1)
  }
}
