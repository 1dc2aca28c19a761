import RulesLang

/// Reads the data of writes, in which values may be instructions: `{"$delete": true}`, `{"$serverTimestamp":
/// true}`, `{"$increment": n}` and so on.
///
/// The result is what a client library sends: the plain data, the paths of the mask, and the transforms
/// (Docs/Language.md §9).
struct WriteReader {
  /// The instructions.
  static let sentinels = [
    "$serverTimestamp", "$delete", "$increment", "$arrayUnion", "$arrayRemove",
  ]

  /// The fields that a write sets.
  enum Scope {
    /// All fields: the document becomes the data.
    case whole
    /// `"merge": true`: every leaf of the data.
    case mergeAll
    /// `"merge": ["a", "b.c"]`: these paths.
    case merge([FieldPath])
    /// An update: the keys of the data are paths.
    case update
  }

  private var data = MapValue()
  /// The paths that an update names.
  private var mask: [FieldPath] = []
  private var transforms: [(path: FieldPath, transform: Transform)] = []
  private var deletes: [(path: FieldPath, range: SourceRange)] = []
  private var leaves: [FieldPath] = []

  /// Reads the data of a write; nil, with a report, if something in it is wrong.
  static func read(
    _ json: JSON, at path: DocumentPath, scope: Scope, precondition: Write.Precondition,
    with reader: inout SuiteReader
  ) -> Write? {
    guard case .object(let members) = json.kind else {
      reader.report("data is an object, this is \(json.kindName)", at: json.range)
      return nil
    }
    let before = reader.diagnostics.count
    var writer = WriteReader()
    for member in members { writer.add(member, scope: scope, with: &reader) }
    writer.checkDeletes(in: scope, with: &reader)
    writer.checkMerged(in: scope, at: json.range, with: &reader)
    guard reader.diagnostics.count == before else { return nil }
    reader.warnOfSentData(writer.data, at: json, keysArePaths: scope.keysArePaths)
    return writer.write(to: path, scope: scope, precondition: precondition)
  }

  private func write(
    to path: DocumentPath, scope: Scope, precondition: Write.Precondition
  ) -> Write {
    let paths: [FieldPath]?
    switch scope {
    case .whole: paths = nil
    case .mergeAll: paths = leaves + deletes.map { $0.path }
    case .merge(let given):
      let transformed = transforms.map { $0.path }
      paths = given.filter { !transformed.contains($0) }
    case .update: paths = mask
    }
    var write = Write(to: path, .set(data, mask: paths), precondition: precondition)
    write.transforms = transforms.filter { scope.covers($0.path) }
    return write
  }

  private mutating func add(_ member: JSON.Member, scope: Scope, with reader: inout SuiteReader) {
    var path = FieldPath([member.key])
    if case .update = scope {
      guard let dotted = FieldPath(member.key) else {
        reader.report("\"\(String(member.key))\" is not a field path", at: member.keyRange)
        return
      }
      path = dotted
    }
    add(member.value, at: path, isTop: true, scope: scope, with: &reader)
  }

  /// Adds the value at a path: a plain value, an instruction, or a map with instructions.
  private mutating func add(
    _ json: JSON, at path: FieldPath, isTop: Bool, scope: Scope, with reader: inout SuiteReader
  ) {
    if case .object(let members) = json.kind {
      if members.count == 1, Self.sentinels.contains(String(members[0].key)) {
        return addInstruction(members[0], at: path, isTop: isTop, scope: scope, with: &reader)
      }
      let isDirective = members.count == 1 && members[0].key.bytes.first == UInt8(ascii: "$")
      if !isDirective {
        return addMap(members, at: path, isTop: isTop, scope: scope, with: &reader)
      }
    }
    guard let value = reader.value(json) else { return }
    data.set(value, at: path)
    leaves.append(path)
    if isTop { mask.append(path) }
  }

  private mutating func addMap(
    _ members: [JSON.Member], at path: FieldPath, isTop: Bool, scope: Scope,
    with reader: inout SuiteReader
  ) {
    if isTop { mask.append(path) }
    let transformed = transforms.count
    for member in members {
      add(
        member.value, at: FieldPath(path.names + [member.key]), isTop: false, scope: scope,
        with: &reader)
    }
    // A map that contains only instructions is not sent; an empty map is a value.
    if data.value(at: path) == nil, members.isEmpty || transforms.count == transformed {
      data.set(.map(MapValue()), at: path)
      if members.isEmpty { leaves.append(path) }
    }
  }

  private mutating func addInstruction(
    _ member: JSON.Member, at path: FieldPath, isTop: Bool, scope: Scope,
    with reader: inout SuiteReader
  ) {
    let json = member.value
    // An instruction sets no value, so the check of the data does not cover its path.
    reader.warnOfFieldPath(path, at: member.keyRange)
    switch String(member.key) {
    case "$delete":
      guard reader.bool(json, as: "$delete") == true else { return }
      deletes.append((path, member.keyRange))
      if isTop { mask.append(path) }
      if case .update = scope, !isTop {
        reader.report(
          "an update deletes a nested field by its path", at: member.keyRange,
          help: "write \"\(String(path.text))\": {\"$delete\": true}")
      }
    case "$serverTimestamp":
      if reader.bool(json, as: "$serverTimestamp") == true {
        transforms.append((path, .serverTimestamp))
      }
    case "$increment":
      guard let step = reader.value(json) else { return }
      if step.asDouble == nil {
        reader.report("$increment takes a number", at: json.range)
      } else {
        transforms.append((path, .increment(step)))
      }
    default:
      guard let parts = reader.array(json, as: String(member.key)) else { return }
      let values = parts.compactMap { reader.value($0) }
      reader.warnOfField(.list(values), at: json.range)
      let isUnion = member.key == "$arrayUnion"
      transforms.append((path, isUnion ? .arrayUnion(values) : .arrayRemove(values)))
    }
  }

  private func checkMerged(
    in scope: Scope, at range: SourceRange, with reader: inout SuiteReader
  ) {
    guard case .merge(let fields) = scope else { return }
    let instructed = deletes.map { $0.path } + transforms.map { $0.path }
    for field in fields where data.value(at: field) == nil && !instructed.contains(field) {
      reader.report("the merged field \"\(String(field.text))\" is not in the data", at: range)
    }
  }

  private func checkDeletes(in scope: Scope, with reader: inout SuiteReader) {
    switch scope {
    case .update, .mergeAll: return
    case .whole:
      for delete in deletes {
        reader.report(
          "only an update or a merge can delete a field", at: delete.range,
          help: "leave the field out: the document becomes exactly this data")
      }
    case .merge(let fields):
      for delete in deletes where !fields.contains(delete.path) {
        reader.report("the deleted field is not among the merged ones", at: delete.range)
      }
    }
  }
}

extension WriteReader.Scope {
  /// True if the keys of the data are field paths.
  fileprivate var keysArePaths: Bool {
    if case .update = self { return true }
    return false
  }

  /// True if a write with this scope changes the field.
  fileprivate func covers(_ path: FieldPath) -> Bool {
    guard case .merge(let fields) = self else { return true }
    return fields.contains { path.names.starts(with: $0.names) }
  }
}
