import RulesLang

extension SuiteWriter {
  /// Writes a request as its client sent it: with masks, and with transforms that the server computes. Nil
  /// for a batch get, and for a query or write that suites cannot express.
  ///
  /// - Parameters:
  ///   - name: The test's name.
  ///   - request: The request.
  ///   - documents: The stored documents; all of them are written into the test.
  ///   - expect: The expected decision.
  ///   - time: The time of the suite, which the test need not repeat.
  public static func sent(
    named name: String, _ request: Request, on documents: Documents, expect: Test.Expectation,
    time: Timestamp? = nil
  ) -> JSON? {
    guard let operation = sent(request.operation) else { return nil }
    var members = [
      JSON.Member("name", value: JSON(.string(Text(name)))),
      JSON.Member("as", value: principal(request.principal)),
    ]
    if time != request.time {
      members.append(
        JSON.Member("time", value: JSON(.string(Text(request.time.description)))))
    }
    members += operation
    let stored = documents.all.map { JSON.Member($0.path.text, value: json($0.data)) }
    if !stored.isEmpty { members.append(JSON.Member("documents", value: JSON(.object(stored)))) }
    members.append(JSON.Member("expect", value: JSON(.string(Text(expect.word)))))
    return JSON(.object(members))
  }

  private static func sent(_ operation: Request.Operation) -> [JSON.Member]? {
    switch operation {
    case .get(let paths):
      guard paths.count == 1 else { return nil }
      return [JSON.Member("get", value: JSON(.string(paths[0].text)))]
    case .list(let query):
      return query.collection.isEmpty || query.isRefusedLater ? nil : list(query)
    case .commit(let writes):
      var parts: [[JSON.Member]] = []
      for write in writes {
        guard let members = sent(write) else { return nil }
        parts.append(members)
      }
      if parts.count == 1 { return parts[0] }
      return [JSON.Member("batch", value: JSON(.array(parts.map { JSON(.object($0)) })))]
    }
  }

  private static func sent(_ write: Write) -> [JSON.Member]? {
    if write.hasDrawnID { return nil }
    let path = JSON(.string(write.path.text))
    guard case .set(let data, let mask) = write.change else {
      return [JSON.Member("delete", value: path)]
    }
    switch (write.precondition, mask) {
    case (.missing, nil), (.none, nil):
      let verb: Text = if case .missing = write.precondition { "create" } else { "set" }
      return [
        JSON.Member(verb, value: path),
        JSON.Member("data", value: whole(data, mask: [], write.transforms)),
      ]
    case (.exists, let mask?):
      var members = mask.map { field in
        JSON.Member(field.text, value: data.value(at: field).map { json($0) } ?? deleted)
      }
      members += write.transforms.map { JSON.Member($0.path.text, value: directive($0.transform)) }
      return [
        JSON.Member("update", value: path), JSON.Member("data", value: JSON(.object(members))),
      ]
    case (.none, let mask?):
      let paths = mask + write.transforms.map { $0.path }
      return [
        JSON.Member("set", value: path),
        JSON.Member("merge", value: JSON(.array(paths.map { JSON(.string($0.text)) }))),
        JSON.Member("data", value: whole(data, mask: mask, write.transforms)),
      ]
    case (.exists, nil), (.missing, .some): return nil
    }
  }

  private static var deleted: JSON { instruction("$delete", JSON(.bool(true))) }

  /// Returns data with transforms, and with the masked fields that are removed, at their places.
  private static func whole(
    _ data: MapValue, mask: [FieldPath], _ transforms: [(path: FieldPath, transform: Transform)]
  ) -> JSON {
    var whole = json(data)
    for field in mask where data.value(at: field) == nil {
      whole.put(deleted, at: field.names[...])
    }
    for (path, transform) in transforms { whole.put(directive(transform), at: path.names[...]) }
    return whole
  }

  private static func directive(_ transform: Transform) -> JSON {
    switch transform {
    case .serverTimestamp: instruction("$serverTimestamp", JSON(.bool(true)))
    case .increment(let step): instruction("$increment", json(step))
    case .arrayUnion(let added): instruction("$arrayUnion", JSON(.array(added.map { json($0) })))
    case .arrayRemove(let removed):
      instruction("$arrayRemove", JSON(.array(removed.map { json($0) })))
    // Suites cannot express these: the reader refuses them, and the request is left out.
    case .maximum(let bound): instruction("$maximum", json(bound))
    case .minimum(let bound): instruction("$minimum", json(bound))
    }
  }

  private static func instruction(_ name: Text, _ value: JSON) -> JSON {
    JSON(.object([JSON.Member(name, value: value)]))
  }
}

extension JSON {
  /// Sets a value at a path of keys, adding missing objects on the way.
  fileprivate mutating func put(_ value: JSON, at path: ArraySlice<Text>) {
    guard let key = path.first else { return self = value }
    var members: [Member] = []
    if case .object(let own) = kind { members = own }
    let place = members.firstIndex { $0.key == key } ?? members.endIndex
    if place == members.endIndex { members.append(Member(key, value: JSON(.object([])))) }
    members[place].value.put(value, at: path.dropFirst())
    kind = .object(members)
  }
}
