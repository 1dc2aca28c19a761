public import RulesLang

extension WireMessage {
  /// Reads a message from protobuf. Fields that are not in the table are skipped.
  ///
  /// - Parameter project: The project whose references lose their project; nil for the project of `resource`,
  ///   the name of the request's own database, parent or document.
  public init(
    protobuf bytes: [UInt8], as type: MessageType, project: Text? = nil
  ) throws(WireProblem) {
    var own = project
    if own == nil { own = Self.project(ofProtobuf: bytes, as: type) }
    var reader = ProtobufReader(bytes, project: own ?? Text())
    self.init(type)
    try reader.fields(into: &self)
  }

  /// Returns the message as protobuf, with fields in the order of their numbers and maps in their own order.
  public func protobuf(project: Text) -> [UInt8] {
    var writer = ProtobufWriter(project: project)
    writer.fields(of: self)
    return writer.written
  }

  /// Returns the project of the resource that a request names, reading only that field.
  private static func project(ofProtobuf bytes: [UInt8], as type: MessageType) -> Text? {
    guard let slot = type.spec.resourceSlot else { return nil }
    let field = type.spec.fields[slot]
    var name: [UInt8]? = last(WireTag(field.number, .delimited), of: bytes)
    if case .message(let inner) = field.kind, let document = name {
      name = last(WireTag(inner.spec.fields[0].number, .delimited), of: document)
    }
    return name.map { ReferenceName.project(of: Text(decoding: $0)) }
  }

  /// Returns the content of the last field with a tag.
  private static func last(_ tag: WireTag, of bytes: [UInt8]) -> [UInt8]? {
    var reader = ProtobufReader(bytes, project: Text())
    var content: [UInt8]?
    do {
      while !reader.isAtEnd {
        let next = try reader.tag()
        if next == tag { content = try reader.octets() } else { try reader.skip(next) }
      }
    } catch {
      // The problem is reported when the message itself is read.
      return nil
    }
    return content
  }
}
