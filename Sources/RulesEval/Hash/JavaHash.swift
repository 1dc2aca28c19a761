import RulesLang

/// The order in which Java's `HashMap` gives its keys.
enum JavaHash {
  /// The keys, put in one after the other, in the order in which the map gives them.
  static func ordered(_ keys: [Text]) -> [Text] {
    if keys.count < 2 { return keys }
    return order(of: keys.map { hash(of: $0) }).map { keys[$0] }
  }

  /// The places of keys with some hash codes in the order in which the map gives them: by bucket, and
  /// in a bucket as they came. The table has 16 buckets, and twice as many whenever more than three
  /// quarters are used; `spare` keys are not counted.
  static func order(of hashes: [UInt32], spare: Int = 0) -> [Int] {
    var size: UInt32 = 16
    while hashes.count - spare > Int(size) / 4 * 3 { size *= 2 }
    let buckets = hashes.map { ($0 ^ $0 >> 16) & (size - 1) }
    return hashes.indices.sorted { (buckets[$0], $0) < (buckets[$1], $1) }
  }

  /// `String.hashCode`.
  static func hash(of key: Text) -> UInt32 {
    var hash: UInt32 = 0
    for unit in key.units { hash = hash &* 31 &+ UInt32(unit) }
    return hash
  }

  /// `Objects.hash` of a first name and of the hash of what follows it, from the last name on.
  static func hash(of path: FieldPath) -> UInt32 {
    path.names.reversed().reduce(0) { 31 &* (31 &+ hash(of: $1)) &+ $0 }
  }
}
