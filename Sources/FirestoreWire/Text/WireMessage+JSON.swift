public import RulesEval
public import RulesLang

extension WireMessage {
  /// Reads a message from proto3 JSON. As on the official emulator, a field that is not in the table is a
  /// problem.
  ///
  /// - Parameter project: The project whose references lose their project; nil for the project of `resource`,
  ///   the name of the request's own database, parent or document.
  public init(
    json: JSON, as type: MessageType, project: Text? = nil
  ) throws(WireProblem) {
    var reader = JSONReader(project: project ?? Self.project(of: json, as: type))
    self = try reader.message(json, as: type)
  }

  /// Reads a message from the text of proto3 JSON.
  public init(
    jsonText bytes: [UInt8], as type: MessageType, project: Text? = nil
  ) throws(WireProblem) {
    guard UTF8Check.firstInvalidByte(in: bytes) == nil else { throw .json("the text is not UTF-8") }
    let json: JSON
    do { json = try JSONParser.parse(bytes, in: 0..<bytes.count) } catch {
      throw .json(error.message)
    }
    try self.init(json: json, as: type, project: project)
  }

  /// Returns the message as proto3 JSON, with fields in the order of their numbers, maps in their own order,
  /// and without defaults.
  public func json(project: Text, layout: JSONLayout = .pretty) -> [UInt8] {
    var writer = JSONWriter(layout: layout, project: project)
    writer.message(self)
    return writer.bytes
  }

  /// Returns the project of the resource that a request names.
  private static func project(of json: JSON, as type: MessageType) -> Text {
    guard let slot = type.spec.resourceSlot,
      let resource = member(type.spec.jsonNames[slot], of: json)
    else { return Text() }
    switch resource.kind {
    case .string(let name): return ReferenceName.project(of: name)
    case .object:
      guard case .string(let name)? = member("name", of: resource)?.kind else { return Text() }
      return ReferenceName.project(of: name)
    case .null, .bool, .number, .array: return Text()
    }
  }

  private static func member(_ key: Text, of json: JSON) -> JSON? {
    guard case .object(let members) = json.kind else { return nil }
    return members.first { $0.key == key }?.value
  }
}
