extension HTML {
  /// A remark with its place before it, as it stands in a line of a page.
  package static func sentence(_ remark: Annotation) -> String {
    let line = remark.place.map { ":\($0.line):\($0.column)" } ?? ""
    let place = remark.file.isEmpty ? "" : "<code>\(text(remark.file))\(line)</code> "
    return place + text(remark.message)
  }
}
