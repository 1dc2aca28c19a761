import RulesEval
import RulesLang

extension Value {
  /// The value as a literal of the rules language; nil if there is none.
  var rulesText: String? {
    switch self {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .int(let number): return number >= 0 ? "\(number)" : number > .min ? "(\(number))" : nil
    case .string(let text): return text.literal
    case .float(let number):
      if number.isNaN { return nil }
      return number.sign == .plus ? number.rulesText : "(-\(number.magnitude.rulesText))"
    case .bytes(let octets): return octets.rulesText
    case .list(let elements):
      var parts: [String] = []
      for element in elements {
        guard let text = element.rulesText else { return nil }
        parts.append(text)
      }
      return "[" + parts.joined(separator: ", ") + "]"
    case .map(let map):
      var parts: [String] = []
      for (key, value) in map {
        guard let text = value.rulesText else { return nil }
        parts.append("\(key.literal): \(text)")
      }
      return "{" + parts.joined(separator: ", ") + "}"
    case .timestamp(let time):
      guard time.nanos % 1_000_000 == 0, time.epochSeconds >= 0 else { return nil }
      return "timestamp.value(\(time.epochSeconds * 1000 + Int64(time.nanos / 1_000_000)))"
    case .set, .duration, .latlng, .path, .mapDiff, .vector, .constraint: return nil
    }
  }
}
