import RulesHost

/// File names in the form of editors: `file:///folder/name`.
enum FileURI {
  private static let scheme = "file://"

  /// Returns the path of a file URI; the URI itself if it is of another scheme.
  static func path(of uri: String) -> String {
    guard uri.hasPrefix(scheme) else { return uri }
    let rest = uri.utf8.dropFirst(scheme.utf8.count)
    // The part before the first slash is a host, which is this one.
    let bytes = Array(rest.drop { $0 != UInt8(ascii: "/") })
    var path: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        path.append(byte)
        index += 3
      } else {
        path.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: path, as: UTF8.self)
  }

  /// Returns the URI of an absolute path.
  static func uri(of path: String) -> String {
    var text = scheme
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}
