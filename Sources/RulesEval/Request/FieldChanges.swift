import RulesLang

// The order of a document's fields after an update, which `values()` shows (Docs/Language.md §8.6).
//
// The emulator keeps the fields of a mask in Java's hash maps, one for each level of the document. Fields
// that the update leaves unchanged keep their place; changed ones are moved to the end, in the order in which
// a hash map gives the changes. The changes were inserted in the order of the mask's hash map, single fields
// before maps of which only a part is named. For transforms, single fields do not come first. Measured on the
// emulator; a bucket of more than eight keys, which Java keeps as a tree, is not modelled (Docs/Fidelity.md
// §21).

extension MapValue {
  /// Returns the map with the values that `source` has at the paths, and without those that it lacks. In the
  /// order of a mask (`isMask`) whole fields come before fields of which only a part changes.
  func taking(_ paths: [FieldPath], from source: MapValue, isMask: Bool) -> MapValue {
    taking(paths.map { $0.names[...] }, from: source, isMask)
  }

  private func taking(
    _ paths: [ArraySlice<Text>], from source: MapValue, _ isMask: Bool
  ) -> MapValue {
    var changes: [Text: Value?] = [:]
    var order: [Text] = []
    for field in Self.fields(paths, isMask) {
      let old = self[field.name]
      let new =
        field.inner.isEmpty ? source[field.name] : part(field, of: old, from: source, isMask)
      guard !Value.areStoredAlike(old, new) else { continue }
      changes[field.name] = .some(new)
      order.append(field.name)
    }
    if order.isEmpty { return self }
    var result = MapValue()
    result.reserve(count + order.count)
    for (key, value) in self where changes[key] == nil { result.append(key, value: value) }
    for key in JavaHash.ordered(order) {
      if case .some(.some(let value)) = changes[key] { result.append(key, value: value) }
    }
    return result
  }

  /// Returns a field after a change of some of its parts. If it is not a map, there is nothing to remove from
  /// it.
  private func part(
    _ field: Field, of old: Value?, from source: MapValue, _ isMask: Bool
  ) -> Value? {
    var written = MapValue()
    if case .map(let map) = source[field.name] { written = map }
    if case .map(let map) = old { return .map(map.taking(field.inner, from: written, isMask)) }
    let made = MapValue().taking(field.inner, from: written, isMask)
    return made.count == 0 ? old : .map(made)
  }

  /// A field of one level that the paths change: the whole field, or parts of it.
  private struct Field {
    var name: Text
    var inner: [ArraySlice<Text>] = []
  }

  /// Returns the fields of the topmost level in the emulator's order. If a path names a field itself, paths
  /// to its parts are ignored.
  private static func fields(_ paths: [ArraySlice<Text>], _ isMask: Bool) -> [Field] {
    var fields: [Field] = []
    var places: [Text: Int] = [:]
    var whole: Set<Text> = []
    for path in paths {
      guard let name = path.first else { continue }
      if path.count == 1 { whole.insert(name) }
      let place = places[name] ?? fields.count
      if place == fields.count {
        places[name] = place
        fields.append(Field(name: name))
      }
      if path.count > 1 { fields[place].inner.append(path.dropFirst()) }
    }
    let ordered = JavaHash.ordered(fields.map { $0.name }).compactMap { name -> Field? in
      guard let place = places[name] else { return nil }
      return whole.contains(name) ? Field(name: name) : fields[place]
    }
    if !isMask { return ordered }
    return ordered.filter { $0.inner.isEmpty } + ordered.filter { !$0.inner.isEmpty }
  }
}

extension Value {
  /// True if an update from one value to the other changes nothing. NaN equals NaN here.
  package static func areStoredAlike(_ one: Value?, _ other: Value?) -> Bool {
    switch (one, other) {
    case (.none, .none): true
    case (.float(let one), .float(let other)):
      one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { areStoredAlike($0, $1) }
    case (.map(let one), .map(let other)):
      one.count == other.count && one.allSatisfy { areStoredAlike($0.1, other[$0.0]) }
    case (.some(let one), .some(let other)): areIdentical(one, other)
    case (.none, .some), (.some, .none): false
    }
  }
}
