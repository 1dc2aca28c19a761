import RulesEval
import RulesLang

/// The position of the next page of a list, opaque to clients.
enum PageToken {
  /// After the path of a document, or the ID of a collection.
  case behind(Text)
  /// After a number of documents, if they are not ordered by name.
  case skipping(Int64)

  /// Reads a token. Throws if the server never returns it.
  init(_ text: Text) throws(Refusal) {
    let bytes = text.bytes
    switch bytes.first {
    case UInt8(ascii: "n"):
      guard let decoded = Self.bytes(ofHex: bytes.dropFirst()) else { throw Self.refusal }
      self = .behind(Text(wellFormed: decoded))
    case UInt8(ascii: "s"):
      guard let number = Int64(String(decoding: bytes.dropFirst(), as: UTF8.self)), number >= 0
      else { throw Self.refusal }
      self = .skipping(number)
    default: throw Self.refusal
    }
  }

  /// The token as text: letters and digits.
  var text: Text {
    switch self {
    case .behind(let text):
      let digits = Array("0123456789abcdef".utf8)
      var bytes = [UInt8(ascii: "n")]
      for byte in text.bytes {
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
      return Text(wellFormed: bytes)
    case .skipping(let number): return Text("s\(number)")
    }
  }

  /// The refusal of a malformed token.
  static let refusal = Refusal.invalidArgument("invalid page token")

  private static func bytes(ofHex digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      if let known = high {
        bytes.append(known << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return Text(decoding: bytes).bytes == bytes ? bytes : nil
  }
}
