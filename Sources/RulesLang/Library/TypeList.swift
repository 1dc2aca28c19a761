/// A list of distinct types in the order of messages.
///
/// Google's checker expects such a list of an operand: its order comes from the tables of signatures and
/// shows in messages (Docs/Language.md §10), so a set does not suffice.
struct TypeList: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The types without their order.
  private(set) var members: TypeSet = []
  /// The types in order, four bits each, the first type lowest.
  private var order: UInt64 = 0

  private var count: UInt64 { UInt64(members.rawValue.nonzeroBitCount) }

  /// Creates the list of some types; repetitions count once.
  init(_ types: some Sequence<ValueType>) {
    for type in types { append(type) }
  }

  /// Creates the list of one type.
  init(_ type: ValueType) { append(type) }

  /// Creates the list that is written out.
  init(arrayLiteral types: ValueType...) { self.init(types) }

  /// Creates the list of the types of a set, in the order of `any`.
  init(_ set: TypeSet) { self.init(Self.any.types.filter { set.contains($0) }) }

  /// The empty list.
  static let none: TypeList = []

  /// All types, in the checker's order if nothing has put some of them first.
  static let any: TypeList = [
    .null, .bool, .int, .float, .string, .bytes, .duration, .timestamp, .latlng, .list, .set, .map,
    .constraint, .path, .mapDiff, .vector,
  ]

  /// The types, in order.
  var types: [ValueType] {
    (0..<count).compactMap { ValueType(rawValue: UInt8(order >> ($0 * 4) & 15)) }
  }

  /// True if there is none.
  var isEmpty: Bool { members.isEmpty }

  /// True if no type is in both.
  func isDisjoint(with other: TypeList) -> Bool { members.isDisjoint(with: other.members) }

  /// Returns the types that are also in `other`, in the order of this list.
  func intersection(_ other: TypeList) -> TypeList {
    if members.isSubset(of: other.members) { return self }
    return TypeList(types.filter { other.members.contains($0) })
  }

  /// Returns this list, then the types of `other` that it lacks.
  func union(_ other: TypeList) -> TypeList {
    if other.members.isSubset(of: members) { return self }
    return isEmpty ? other : TypeList(types + other.types)
  }

  /// The words of messages: `int, float`.
  var words: String { types.map { $0.word }.joined(separator: ", ") }

  private mutating func append(_ type: ValueType) {
    guard !members.contains(type) else { return }
    order |= UInt64(type.rawValue) << (count * 4)
    members.insert(TypeSet(type))
  }
}
