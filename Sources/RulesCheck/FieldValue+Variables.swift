/// Field values beside variables: in `["name": name, "joined": .serverTimestamp]` the values are optional
/// encodable ones, among which the factory methods of ``Rules/FieldValue`` are found by these.
extension Optional where Wrapped == any Encodable {
  /// A timestamp, given in the form of RFC 3339.
  public static func timestamp(_ text: String) -> Self { Rules.FieldValue.timestamp(text) }

  /// Bytes, given in base64.
  public static func bytes(base64 text: String) -> Self { Rules.FieldValue.bytes(base64: text) }

  /// A point on earth, in degrees.
  public static func geoPoint(latitude: Double, longitude: Double) -> Self {
    Rules.FieldValue.geoPoint(latitude: latitude, longitude: longitude)
  }

  /// A reference to a document, such as `/users/alice`.
  public static func reference(_ path: String) -> Self { Rules.FieldValue.reference(path) }

  /// A vector, for vector search.
  public static func vector(_ numbers: [Double]) -> Self { Rules.FieldValue.vector(numbers) }

  /// In written data: the time of the request.
  public static var serverTimestamp: Self { Rules.FieldValue.serverTimestamp }

  /// In the data of an update or a merge: removes the field.
  public static var delete: Self { Rules.FieldValue.delete }

  /// In written data: adds to the stored number.
  public static func increment(_ number: some Encodable) -> Self {
    Rules.FieldValue.increment(number)
  }

  /// In written data: appends those of the elements that the stored list lacks.
  public static func arrayUnion(_ elements: [(any Encodable)?]) -> Self {
    Rules.FieldValue.arrayUnion(elements)
  }

  /// In written data: removes the elements from the stored list.
  public static func arrayRemove(_ elements: [(any Encodable)?]) -> Self {
    Rules.FieldValue.arrayRemove(elements)
  }
}
