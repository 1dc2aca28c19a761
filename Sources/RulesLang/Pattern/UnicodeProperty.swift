/// A property named after `\p`: a general category, a group of categories, or a script. The names are exact:
/// `\p{greek}` is an error (Docs/Language.md §8).
struct UnicodeProperty {
  private enum Kind: Equatable {
    case any
    /// The categories whose names start with a letter.
    case categories(UInt8)
    /// The category with a number.
    case category(UInt32)
    /// The script with a number.
    case script(UInt32)
  }

  /// The name `Any`, as bytes because the word is banned from the code of the core.
  private static let nameOfEverything: [UInt8] = [0x41, 0x6E, 0x79]

  private let name: [UInt8]
  private let kind: Kind

  /// Creates the property with a name in bytes.
  init?(named name: [UInt8]) {
    self.name = name
    if name == Self.nameOfEverything {
      kind = .any
    } else if name.count == 1, "CLMNPSZ".utf8.contains(name[0]) {
      kind = .categories(name[0])
    } else if let number = Self.number(of: name, in: UnicodeTables.categoryNames) {
      kind = .category(number)
    } else if let number = Self.number(of: name, in: UnicodeTables.scriptNames) {
      kind = .script(number)
    } else {
      return nil
    }
  }

  /// The code points with the property.
  var members: CodePointSet {
    switch kind {
    case .any: return .all
    case .categories(let initial):
      let names = UnicodeTables.categoryNames.utf8.split(separator: UInt8(ascii: " "))
      return Self.members(of: UnicodeTables.categories) { names[Int($0) - 1].first == initial }
    case .category(let number):
      return Self.members(of: UnicodeTables.categories) { $0 == number }
    case .script(let number): return Self.members(of: UnicodeTables.scripts) { $0 == number }
    }
  }

  /// The members with their case variants under the flag `i`; the emulator has these for a few properties
  /// only, and for `Ll` incompletely.
  var foldedMembers: CodePointSet {
    if name.elementsEqual("Ll".utf8) { return members.union(Self.lowercaseVariants) }
    for folding in ["Lt", "Lu", "Mn", "Common", "Inherited"]
    where name.elementsEqual(folding.utf8) {
      return CaseFolding.folded(members)
    }
    if name.elementsEqual("Greek".utf8) {
      // U+037F came after Unicode 6.0.
      return CaseFolding.folded(members).subtracting(CodePointSet(0x37F))
    }
    return members
  }

  private static var lowercaseVariants: CodePointSet {
    var reader = NumberReader(UnicodeTables.lowercaseVariants)
    var intervals: [CodePointSet.Interval] = []
    var place: UInt32 = 0
    while let distance = reader.next() {
      place += distance
      intervals.append(CodePointSet.Interval(from: place, through: place))
    }
    return CodePointSet(intervals)
  }

  private static func number(of name: [UInt8], in names: String) -> UInt32? {
    var number: UInt32 = 0
    for known in names.utf8.split(separator: UInt8(ascii: " ")) {
      number += 1
      if known.elementsEqual(name) { return number }
    }
    return nil
  }

  private static func members(of table: String, where isMember: (UInt32) -> Bool) -> CodePointSet {
    var reader = NumberReader(table)
    var intervals: [CodePointSet.Interval] = []
    var place: UInt32 = 0
    while let kind = reader.next(), let length = reader.next() {
      if kind != 0, isMember(kind) {
        intervals.append(CodePointSet.Interval(from: place, through: place + length - 1))
      }
      place += length
    }
    return CodePointSet(intervals)
  }
}
