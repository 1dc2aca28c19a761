import RulesLang

// Values of documents in the notation of suites: JSON, with `{"$timestamp": …}` and the like for what
// JSON has no form for.

extension SuiteReader {
  /// The `$…` keys that mark values.
  static let directives = [
    "$timestamp", "$bytes", "$latlng", "$ref", "$float", "$int", "$vector", "$map",
  ]

  /// Reads a value; nil, with a report, if it is none.
  mutating func value(_ json: JSON) -> Value? {
    switch json.kind {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let text): return number(text, at: json.range)
    case .string(let text): return .string(text)
    case .array(let elements):
      let values = elements.map { value($0) }
      return values.contains { $0 == nil } ? nil : .list(values.compactMap { $0 })
    case .object(let members):
      if members.count == 1, members[0].key.bytes.first == UInt8(ascii: "$") {
        return directive(members[0])
      }
      return map(members).map { .map($0) }
    }
  }

  /// Reads the data of a document.
  mutating func documentData(_ json: JSON, as what: String) -> MapValue? {
    guard case .object(let members) = json.kind else {
      report("\(what) is an object, this is \(json.kindName)", at: json.range)
      return nil
    }
    return map(members)
  }

  private mutating func map(_ members: [JSON.Member]) -> MapValue? {
    var result = MapValue()
    result.reserve(members.count)
    var isComplete = true
    for member in members {
      // No key occurs twice in an object.
      if let value = value(member.value) {
        result.append(member.key, value: value)
      } else {
        isComplete = false
      }
    }
    return isComplete ? result : nil
  }

  private mutating func number(_ text: String, at range: SourceRange) -> Value? {
    if isReadingClaims { return ClaimNumber.value(of: text) }
    let isFloat = text.utf8.contains { $0 == 0x2E || $0 == 0x65 || $0 == 0x45 }
    if isFloat, let number = Double(text) { return .float(number) }
    if !isFloat, let number = Int64(text) { return .int(number) }
    report(
      "\(text) does not fit an int", at: range,
      help: "ints have 64 bits; write {\"$float\": \(text)} for a float")
    return nil
  }

  private mutating func directive(_ member: JSON.Member) -> Value? {
    let json = member.value
    switch String(member.key) {
    case "$timestamp": return time(json, as: "$timestamp").map { .timestamp($0) }
    case "$bytes": return bytes(json)
    case "$latlng": return latlng(json)
    case "$ref":
      guard let text = string(json, as: "$ref") else { return nil }
      return documentPath(text, at: json.range).map { .path($0.value(in: database)) }
    case "$float": return float(json)
    case "$int":
      guard let text = string(json, as: "$int") else { return nil }
      if let number = Int64(String(text)) { return .int(number) }
      report("\"\(String(text))\" is not a 64-bit int", at: json.range)
      return nil
    case "$vector": return vector(json)
    case "$map":
      guard case .object(let members) = json.kind else {
        report("$map is an object, this is \(json.kindName)", at: json.range)
        return nil
      }
      return map(members).map { .map($0) }
    case let name:
      unknownDirective(name, at: member.keyRange, known: Self.directives)
      return nil
    }
  }

  /// Reports an unknown `$…` key.
  mutating func unknownDirective(_ name: String, at range: SourceRange, known: [String]) {
    if WriteReader.sentinels.contains(name) {
      report("\(name) is allowed only in the data of a write, and not in a list", at: range)
      return
    }
    let nearest = Spelling.nearest(to: name, among: known)
    report(
      "there is no \"\(name)\"", at: range,
      help: nearest.map { "did you mean \"\($0)\"?" }
        ?? "a map whose only key starts with `$` is written {\"$map\": {…}}")
  }

  private mutating func bytes(_ json: JSON) -> Value? {
    guard let text = string(json, as: "$bytes") else { return nil }
    if let octets = Base64.standard.octets(of: text) { return .bytes(octets) }
    report("\"\(String(text))\" is not base64", at: json.range)
    return nil
  }

  private mutating func double(_ json: JSON) -> Double? {
    if case .number(let text) = json.kind { return Double(text) }
    return nil
  }

  private mutating func latlng(_ json: JSON) -> Value? {
    if case .array(let parts) = json.kind, parts.count == 2, let latitude = double(parts[0]),
      let longitude = double(parts[1]), latitude.magnitude <= 90, longitude.magnitude <= 180
    {
      return .latlng(LatLng(latitude: latitude, longitude: longitude))
    }
    report("$latlng is [latitude -90 to 90, longitude -180 to 180]", at: json.range)
    return nil
  }

  private mutating func float(_ json: JSON) -> Value? {
    if case .number(let text) = json.kind, isReadingClaims { return ClaimNumber.value(of: text) }
    if let number = double(json) { return .float(number) }
    if case .string(let text) = json.kind {
      switch String(text) {
      case "NaN": return .float(.nan)
      case "Infinity": return .float(.infinity)
      case "-Infinity": return .float(-.infinity)
      default: if let number = FloatText.value(of: text) { return .float(number) }
      }
    }
    report("$float is a number, \"NaN\", \"Infinity\", \"-Infinity\" or \"-0.0\"", at: json.range)
    return nil
  }

  private mutating func vector(_ json: JSON) -> Value? {
    guard let parts = array(json, as: "$vector") else { return nil }
    let numbers = parts.compactMap { double($0) }
    if numbers.count == parts.count { return .vector(numbers) }
    report("$vector is a list of numbers", at: json.range)
    return nil
  }
}
