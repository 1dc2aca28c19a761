extension HTML {
  /// Returns an annotation as HTML in one line, with its place in front.
  package static func sentence(_ remark: Annotation) -> String {
    let line = remark.place.map { ":\($0.line):\($0.column)" } ?? ""
    let place = remark.file.isEmpty ? "" : "<code>\(text(remark.file))\(line)</code> "
    return place + text(remark.message)
  }
}
