import RulesLang

/// Evaluates the built-in functions and methods on values (Docs/Language.md §8). Lookups are in `Services`.
enum Functions {
  /// Returns the method with a name for receivers of a type; nil if there is none.
  static func method(_ name: Text, of type: ValueType) -> Builtin? {
    Builtins.methods(named: name).first { $0.receiver == type }?.builtin
  }

  /// Checks the number, then the types of the arguments; throws unless they fit an overload.
  static func checkArguments(
    of builtin: Builtin, on receiver: Value?, with arguments: [Value]
  ) throws(EvaluationError.Reason) {
    let entry = Builtins.entry(builtin)
    if builtin == .debug {
      if arguments.isEmpty { throw .debugWithoutArgument }
      return
    }
    let fitting = entry.overloads.filter { $0.count == arguments.count }
    if fitting.isEmpty { throw .argumentCount(arguments.count, expected: entry.signatures) }
    let types = arguments.map { $0.type }
    for overload in fitting where zip(overload, types).allSatisfy({ $0.accepts($1) }) { return }
    let owner = receiver.map { $0.type.word + "." } ?? ""
    let received = types.map { $0.word }.joined(separator: ", ")
    throw .unsupported(
      received: "\(owner)\(entry.fullName)(\(received))", expected: entry.signatures)
  }

  /// Calls a built-in; `patterns` are compiled patterns to look in first. A built-in without an
  /// implementation fails as an unknown function.
  ///
  /// - Requires: `checkArguments` has accepted the arguments.
  static func call(
    _ builtin: Builtin, on receiver: Value, with arguments: [Value],
    knowing patterns: [Pattern] = []
  ) throws(EvaluationError.Reason) -> Value {
    let first = arguments.first ?? .null
    switch receiver {
    case .null: return try function(builtin, first: first, arguments: arguments)
    case .string(let text):
      return try string(builtin, on: text, arguments: arguments, knowing: patterns)
    case .bytes(let octets): return try bytes(builtin, on: octets)
    case .list(let elements): return try list(builtin, on: elements, with: first)
    case .map(let map): return try mapMethod(builtin, on: map, first: first, arguments: arguments)
    case .set(let set): return try setMethod(builtin, on: set, with: first)
    case .mapDiff(let diff): return try diffMethod(builtin, on: diff)
    case .timestamp(let time): return try timestamp(builtin, on: time)
    case .duration(let length): return try duration(builtin, on: length)
    case .latlng(let point): return try latlng(builtin, on: point, with: first)
    case .path(let path): return try pathMethod(builtin, on: path, with: first)
    case .constraint(let promise): return try constraint(builtin, on: promise, with: first)
    case .bool, .int, .float, .vector: throw undefined(builtin)
    }
  }

  /// Returns the failure of a built-in without an implementation; tests call every built-in.
  static func undefined(_ builtin: Builtin) -> EvaluationError.Reason {
    .functionNotFound(Builtins.entry(builtin).fullName)
  }

  private static func function(
    _ builtin: Builtin, first: Value, arguments: [Value]
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .int: return .int(try int(first))
    case .float: return .float(try float(first))
    case .string: return .string(try string(first))
    case .path: return .path(try PathTemplate.parse(first))
    case .vector: return .vector(try vector(first))
    case .debug: return first
    case .mathAbs, .mathCeil, .mathFloor, .mathRound, .mathSqrt, .mathPow, .mathIsNaN,
      .mathIsInfinity:
      return try math(builtin, first: first, arguments: arguments)
    case .timestampValue, .timestampDate, .durationValue, .durationTime, .durationAbs, .latlngValue:
      return try time(builtin, with: arguments)
    case .hashingCRC32, .hashingCRC32C, .hashingMD5, .hashingSHA256:
      return try hash(builtin, of: first)
    default: throw undefined(builtin)
    }
  }

  // MARK: Conversions

  /// Evaluates `string(value)`, also for path segments and `join`.
  static func string(_ value: Value) throws(EvaluationError.Reason) -> Text {
    switch value {
    case .int(let number): return Text("\(number)")
    case .float(let number): return FloatText.text(of: number)
    case .null: return "null"
    case .string(let text): return text
    case .bool(let flag): return flag ? "true" : "false"
    case .path(let path): return path.text
    default:
      throw .unsupported(
        received: "string(\(value.type.word))", expected: Builtins.entry(.string).signatures)
    }
  }

  private static func int(_ value: Value) throws(EvaluationError.Reason) -> Int64 {
    switch value {
    case .int(let number): return number
    case .float(let number): return Arithmetic.truncated(number)
    case .string(let text):
      guard let number = IntegerText.value(of: text) else { throw .conversion(text, to: .int) }
      return number
    default: throw undefined(.int)
    }
  }

  private static func float(_ value: Value) throws(EvaluationError.Reason) -> Double {
    if let number = value.asDouble { return number }
    guard case .string(let text) = value else { throw undefined(.float) }
    guard let number = FloatText.value(of: text) else { throw .conversion(text, to: .float) }
    return number
  }

  /// Evaluates `vector(list)`: the list may contain floats only, not even ints.
  private static func vector(_ value: Value) throws(EvaluationError.Reason) -> [Double] {
    guard case .list(let elements) = value else { throw undefined(.vector) }
    var numbers: [Double] = []
    for element in elements {
      guard case .float(let number) = element else { throw .vectorConversion(elements) }
      numbers.append(number)
    }
    return numbers
  }

  // MARK: math, hashing

  private static func math(
    _ builtin: Builtin, first: Value, arguments: [Value]
  ) throws(EvaluationError.Reason) -> Value {
    if builtin == .mathAbs, case .int(let number) = first {
      return .int(Arithmetic.magnitude(number))
    }
    guard let number = first.asDouble else { throw undefined(builtin) }
    switch builtin {
    case .mathAbs: return .float(Arithmetic.magnitude(number))
    case .mathCeil: return .float(Arithmetic.ceiling(number))
    case .mathFloor: return .float(Arithmetic.floor(number))
    case .mathRound: return .int(Arithmetic.rounded(number))
    case .mathSqrt: return .float(Arithmetic.squareRoot(number))
    case .mathIsNaN: return .bool(number.isNaN)
    case .mathIsInfinity: return .bool(number.isInfinite)
    case .mathPow:
      guard let exponent = arguments[1].asDouble else { throw undefined(builtin) }
      return .float(Power.power(of: number, to: exponent))
    default: throw undefined(builtin)
    }
  }

  private static func hash(
    _ builtin: Builtin, of value: Value
  ) throws(EvaluationError.Reason) -> Value {
    let octets: [UInt8]
    switch value {
    case .bytes(let bytes): octets = bytes
    case .string(let text): octets = utf8(text)
    default: throw undefined(builtin)
    }
    switch builtin {
    case .hashingCRC32: return .bytes(CRC32.standard.hash(octets))
    case .hashingCRC32C: return .bytes(CRC32.castagnoli.hash(octets))
    case .hashingMD5: return .bytes(MD5.hash(octets))
    case .hashingSHA256: return .bytes(SHA256.hash(octets))
    default: throw undefined(builtin)
    }
  }

  /// Returns a text as strict UTF-8: a lone surrogate becomes `?`.
  static func utf8(_ text: Text) -> [UInt8] { Array(String(text).utf8) }

  // MARK: timestamp, duration, latlng

  private static func time(
    _ builtin: Builtin, with arguments: [Value]
  ) throws(EvaluationError.Reason) -> Value {
    switch (builtin, arguments[0]) {
    case (.timestampValue, .int(let milliseconds)):
      guard let time = Timestamp(milliseconds: milliseconds) else { throw .timestampRange }
      return .timestamp(time)
    case (.timestampValue, .string(let text)):
      guard let time = Timestamp(lenient: text) else { throw .timestampRange }
      return .timestamp(time)
    case (.durationAbs, .duration(let length)): return .duration(length.magnitude)
    case (.durationValue, .int(let amount)):
      guard case .string(let unit) = arguments[1] else { throw undefined(builtin) }
      return .duration(try duration(amount, in: unit))
    case (.latlngValue, let latitude):
      return try latlng(latitude: latitude, longitude: arguments[1])
    default:
      let numbers = arguments.map { value -> Int64 in
        if case .int(let number) = value { return number }
        return 0
      }
      return try time(builtin, with: numbers)
    }
  }

  private static func time(
    _ builtin: Builtin, with numbers: [Int64]
  ) throws(EvaluationError.Reason) -> Value {
    switch builtin {
    case .timestampDate:
      return .timestamp(try date(year: numbers[0], month: numbers[1], day: numbers[2]))
    case .durationTime:
      // The engine reports the wrong range here; so do we (Docs/Language.md §8).
      let sum = Duration.time(
        hours: numbers[0], minutes: numbers[1], seconds: numbers[2], nanos: numbers[3])
      guard let sum else { throw .timestampRange }
      return .duration(sum)
    default: throw undefined(builtin)
    }
  }

  private static func date(
    year: Int64, month: Int64, day: Int64
  ) throws(EvaluationError.Reason) -> Timestamp {
    do throws(DateError) {
      return try Timestamp.date(year: year, month: month, day: day)
    } catch {
      switch error {
      case .yearOutOfRange: throw .timestampYear(year)
      case .invalidDate: throw .invalidDate(year: year, month: month, day: day)
      }
    }
  }

  private static func duration(
    _ amount: Int64, in unit: Text
  ) throws(EvaluationError.Reason) -> Duration {
    guard let known = Duration.Unit(name: unit) else {
      // The engine's message for an unknown unit (Docs/Language.md §8).
      throw .invalidPattern("Invalid regular expression pattern. Pattern: " + unit + ".")
    }
    guard let length = Duration(amount, in: known) else { throw .durationRange }
    return length
  }

  private static func latlng(
    latitude: Value, longitude: Value
  ) throws(EvaluationError.Reason) -> Value {
    guard let north = latitude.asDouble, let east = longitude.asDouble else {
      throw undefined(.latlngValue)
    }
    guard north.magnitude <= 90, east.magnitude <= 180 else { throw .latlngRange(north, east) }
    return .latlng(LatLng(latitude: north, longitude: east))
  }
}
