import RulesEval
import RulesLang

/// Random document IDs drawn by client libraries, and their replacements, which are the same in each run.
struct AutomaticIDs {
  private var replacements: [(id: Text, by: Text)] = []

  /// Characters of a drawn ID, in every SDK.
  private static let length = 20

  /// Finds the drawn IDs among the segments of paths, in order.
  init(in paths: [DocumentPath]) {
    for segment in paths.flatMap({ $0.segments }) where Self.isDrawn(segment) {
      if replacements.contains(where: { $0.id == segment }) { continue }
      let number = "\(replacements.count + 1)"
      let zeros = String(repeating: "0", count: Self.length - "auto".count - number.count)
      replacements.append((segment, Text("auto" + zeros + number)))
    }
  }

  /// True if there are none.
  var isEmpty: Bool { replacements.isEmpty }

  /// True if a segment looks like a drawn ID: letters of both cases and digits, of its length; words of
  /// people hardly ever do.
  private static func isDrawn(_ segment: Text) -> Bool {
    let bytes = segment.bytes
    guard bytes.count == length else { return false }
    var (hasUpper, hasLower) = (false, false)
    for byte in bytes {
      switch byte {
      case 0x30...0x39: continue
      case 0x41...0x5A: hasUpper = true
      case 0x61...0x7A: hasLower = true
      default: return false
      }
    }
    return hasUpper && hasLower
  }

  /// Returns a test with the IDs replaced in paths, keys and texts.
  func replaced(in json: JSON) -> JSON {
    switch json.kind {
    case .null, .bool, .number: json
    case .string(let text): JSON(.string(replaced(in: text)))
    case .array(let elements): JSON(.array(elements.map { replaced(in: $0) }))
    case .object(let members):
      JSON(
        .object(members.map { JSON.Member(replaced(in: $0.key), value: replaced(in: $0.value)) }))
    }
  }

  /// Returns a text with the IDs replaced that are whole segments of it.
  func replaced(in text: Text) -> Text {
    guard text.bytes.count >= Self.length else { return text }
    var string = String(text)
    for (id, other) in replacements {
      string = string.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0 == String(id) ? String(other) : String($0) }.joined(separator: "/")
    }
    return Text(string)
  }
}

extension JSON {
  /// Returns the value with all timestamps near a moment replaced by one: stored server times differ in each
  /// run.
  func blurring(around moment: Timestamp) -> JSON {
    switch kind {
    case .null, .bool, .number, .string: return self
    case .array(let elements): return JSON(.array(elements.map { $0.blurring(around: moment) }))
    case .object(let members):
      if members.count == 1, members[0].key == "$timestamp",
        case .string(let text) = members[0].value.kind, let time = Timestamp(rfc3339: text),
        abs(time.epochSeconds - moment.epochSeconds) < 86_400
      {
        return JSON(.string("now"))
      }
      return JSON(
        .object(members.map { JSON.Member($0.key, value: $0.value.blurring(around: moment)) }))
    }
  }
}
