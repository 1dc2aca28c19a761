import RulesLang

/// The iteration order of Java's `HashMap`.
enum JavaHash {
  /// Returns the keys, inserted in this order, in the map's iteration order.
  static func ordered(_ keys: [Text]) -> [Text] {
    if keys.count < 2 { return keys }
    return order(of: keys.map { hash(of: $0) }).map { keys[$0] }
  }

  /// Returns the indices of keys with the given hash codes in iteration order: by bucket, and within a bucket
  /// by insertion. The table has 16 buckets, doubled whenever more than three quarters are used; `spare` keys
  /// do not count towards that.
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

  /// Returns `Objects.hash` of the first name and of the hash of the rest, computed from the last name on.
  static func hash(of path: FieldPath) -> UInt32 {
    path.names.reversed().reduce(0) { 31 &* (31 &+ hash(of: $1)) &+ $0 }
  }
}
