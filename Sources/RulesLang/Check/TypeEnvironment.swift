/// The possible types of variables by their uses: one list for each variable that was used.
///
/// A variable whose uses contradict each other is reported once and may then be anything, so that it can take
/// part in a further contradiction (Docs/Language.md §10).
struct TypeEnvironment: Sendable {
  /// One variable and the types that fit all its uses.
  struct Entry: Sendable {
    var variable: Binding
    var name: Text
    var types: TypeList
  }

  private(set) var entries: [Entry] = []

  /// Creates the environment without any use.
  init() {}

  /// Creates the environment of one use.
  init(of variable: Binding, named name: Text, types: TypeList) {
    entries = [Entry(variable: variable, name: name, types: types)]
  }

  /// The types of a variable; `any` if it is not used.
  subscript(variable: Binding) -> TypeList {
    entries.first { $0.variable == variable }?.types ?? .any
  }

  /// Removes a variable.
  mutating func remove(_ variable: Binding) {
    entries.removeAll { $0.variable == variable }
  }

  /// Intersects with the uses of `other`, whose new variables come last. A contradiction leaves an empty list
  /// until `removeContradictions()`.
  mutating func formIntersection(_ other: TypeEnvironment) {
    for entry in other.entries {
      if let place = entries.firstIndex(where: { $0.variable == entry.variable }) {
        entries[place].types = entries[place].types.intersection(entry.types)
      } else {
        entries.append(entry)
      }
    }
  }

  /// Sets variables with an empty list to `any`, and returns their names.
  mutating func removeContradictions() -> [Text] {
    var names: [Text] = []
    for place in entries.indices where entries[place].types.isEmpty {
      names.append(entries[place].name)
      entries[place].types = .any
    }
    return names
  }
}
