// The rule of the users collection written by hand, as fast as ordinary Swift does it: what the
// machine's speed is measured against.

/// A value of a document whose fields are identified by number.
enum FloorValue {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  case string(String)

  /// True if two values are the same.
  @inline(__always)
  static func areSame(_ left: FloorValue, _ right: FloorValue) -> Bool {
    switch (left, right) {
    case (.string(let one), .string(let two)): one == two
    case (.int(let one), .int(let two)): one == two
    case (.float(let one), .float(let two)): one == two
    case (.bool(let one), .bool(let two)): one == two
    case (.null, .null): true
    default: false
    }
  }
}

/// A document: the numbers of its fields in ascending order, and their values.
final class FloorDocument {
  let fields: [Int32]
  let values: [FloorValue]

  init(_ fields: [(name: String, value: String)], numbering numbers: inout [String: Int32]) {
    var numbered: [(Int32, FloorValue)] = []
    for field in fields {
      let number = numbers[field.name] ?? Int32(numbers.count)
      numbers[field.name] = number
      numbered.append((number, .string(field.value.copied)))
    }
    numbered.sort { $0.0 < $1.0 }
    self.fields = numbered.map { $0.0 }
    values = numbered.map { $0.1 }
  }
}

/// An update of a document of the users collection.
final class FloorRequest {
  let user: String?
  let owner: String
  let before: FloorDocument
  let after: FloorDocument
  /// The number of the one field that may be changed.
  let token: Int32

  init(_ update: UsersUpdate, numbering numbers: inout [String: Int32]) {
    user = update.user?.copied
    owner = update.owner.copied
    before = FloorDocument(update.before, numbering: &numbers)
    after = FloorDocument(update.after, numbering: &numbers)
    token = numbers["fcmToken"] ?? -1
  }

  /// True if the client is the owner, and only the token is changed.
  @inline(never)
  func isAllowed() -> Bool {
    guard let user, user == owner else { return false }
    var old = 0
    var new = 0
    while old < before.fields.count, new < after.fields.count {
      let (one, two) = (before.fields[old], after.fields[new])
      if one == two {
        if one != token, !FloorValue.areSame(before.values[old], after.values[new]) {
          return false
        }
        old += 1
        new += 1
      } else {
        if min(one, two) != token { return false }
        if one < two { old += 1 } else { new += 1 }
      }
    }
    return before.fields[old...].allSatisfy { $0 == token }
      && after.fields[new...].allSatisfy { $0 == token }
  }
}

extension String {
  /// The text in memory of its own: texts of different origin never share memory, and comparing those that do
  /// is trivial.
  fileprivate var copied: String { String(decoding: Array(utf8), as: UTF8.self) }
}
