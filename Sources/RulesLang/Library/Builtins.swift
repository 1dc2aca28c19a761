/// The table of built-ins, with functions to search it (Docs/Language.md §8).
public enum Builtins {
  /// The namespaces; none of these words can name a variable.
  public static let namespaces: [Text] = ["math", "timestamp", "duration", "latlng", "hashing"]

  /// Every built-in, one row each, in the order of `Builtin`, which is the order in which Google's
  /// messages list receivers.
  public static let table: [Builtin.Entry] =
    functions + stringMethods + listMethods + setMethods + mapMethods + timeMethods

  /// Returns the row of a built-in.
  public static func entry(_ builtin: Builtin) -> Builtin.Entry { table[Int(builtin.rawValue)] }

  /// Returns the function with this namespace and name.
  public static func function(namespace: Text?, name: Text) -> Builtin? {
    guard let rows = rowsByName[name] else { return nil }
    for row in rows where table[row].receiver == nil && table[row].namespace == namespace {
      return table[row].builtin
    }
    return nil
  }

  /// Returns the methods with this name, one for each type that has it; empty if none has.
  public static func methods(named name: Text) -> [Builtin.Entry] { methodsByName[name] ?? [] }

  private static let methodsByName: [Text: [Builtin.Entry]] = {
    var methods: [Text: [Builtin.Entry]] = [:]
    for entry in table where entry.receiver != nil {
      methods[entry.name, default: []].append(entry)
    }
    return methods
  }()

  private static let rowsByName: [Text: [Int]] = {
    var rows: [Text: [Int]] = [:]
    for (index, entry) in table.enumerated() { rows[entry.name, default: []].append(index) }
    return rows
  }()

  private static func function(
    _ builtin: Builtin, _ namespace: Text? = nil, _ name: Text, _ overloads: [[ValueType]],
    _ result: TypeSet, _ summary: String
  ) -> Builtin.Entry {
    Builtin.Entry(
      builtin: builtin, receiver: nil, namespace: namespace, name: name,
      overloads: overloads.map { $0.map { .type($0) } }, result: result, summary: summary)
  }

  private static func method(
    _ builtin: Builtin, _ receiver: ValueType, _ name: Text, _ overloads: [[ValueType]],
    _ result: TypeSet, _ summary: String
  ) -> Builtin.Entry {
    Builtin.Entry(
      builtin: builtin, receiver: receiver, namespace: nil, name: name,
      overloads: overloads.map { $0.map { .type($0) } }, result: result, summary: summary)
  }

  private static let functions: [Builtin.Entry] = [
    function(
      .int, nil, "int", [[.int], [.float], [.string]], .int,
      "Converts to an int; a float is truncated toward zero."),
    function(
      .float, nil, "float", [[.int], [.float], [.string]], .float, "Converts to a float."),
    function(
      .string, nil, "string", [[.int], [.float], [.null], [.string], [.bool], [.path]], .string,
      "Converts to a string."),
    function(.path, nil, "path", [[.string]], .path, "Parses a path."),
    function(
      .vector, nil, "vector", [[.list]], .vector, "A vector of the floats of a list; undocumented."),
    function(
      .get, nil, "get", [[.path]], [.map, .null],
      "The stored document at a path, as it is before the request."),
    function(
      .exists, nil, "exists", [[.path]], .bool,
      "Whether a document is stored at a path before the request."),
    function(
      .getAfter, nil, "getAfter", [[.path]], [.map, .null],
      "The document at a path as it will be after the whole commit."),
    function(
      .existsAfter, nil, "existsAfter", [[.path]], .bool,
      "Whether a document will be at a path after the whole commit."),
    function(
      .value, nil, "value", [[.path]], [.map, .null], "The same as `get`; undocumented."),
    Builtin.Entry(
      builtin: .debug, receiver: nil, namespace: nil, name: "debug", overloads: [[.any]],
      result: .any, summary: "Returns its argument; known to the emulator only."),
    function(
      .mathAbs, "math", "abs", [[.int], [.float]], [.int, .float], "The absolute value."),
    function(.mathCeil, "math", "ceil", [[.float]], .float, "Rounds up, to a float."),
    function(.mathFloor, "math", "floor", [[.float]], .float, "Rounds down, to a float."),
    function(.mathRound, "math", "round", [[.float]], .int, "The nearest int, halves up."),
    function(.mathSqrt, "math", "sqrt", [[.float]], .float, "The square root."),
    function(.mathPow, "math", "pow", [[.float, .float]], .float, "The first to the power."),
    function(.mathIsNaN, "math", "isNaN", [[.float]], .bool, "Whether it is not a number."),
    function(
      .mathIsInfinity, "math", "isInfinity", [[.float]], .bool,
      "Whether it is infinite; undocumented."),
    function(
      .timestampValue, "timestamp", "value", [[.int], [.string]], .timestamp,
      "The timestamp of milliseconds since 1970, or of an RFC 3339 text."),
    function(
      .timestampDate, "timestamp", "date", [[.int, .int, .int]], .timestamp,
      "Midnight UTC of a year, month and day."),
    function(
      .durationValue, "duration", "value", [[.int, .string]], .duration,
      "A number of units: w, d, h, m, s, ms or ns."),
    function(
      .durationTime, "duration", "time", [[.int, .int, .int, .int]], .duration,
      "The sum of hours, minutes, seconds and nanoseconds."),
    function(.durationAbs, "duration", "abs", [[.duration]], .duration, "The length, unsigned."),
    function(
      .latlngValue, "latlng", "value", [[.float, .float]], .latlng,
      "A point of latitude and longitude, in degrees."),
    function(
      .hashingCRC32, "hashing", "crc32", [[.bytes], [.string]], .bytes, "The CRC-32, 4 octets."),
    function(
      .hashingCRC32C, "hashing", "crc32c", [[.bytes], [.string]], .bytes,
      "The CRC-32C, 4 octets."),
    function(.hashingMD5, "hashing", "md5", [[.bytes], [.string]], .bytes, "The MD5, 16 octets."),
    function(
      .hashingSHA256, "hashing", "sha256", [[.bytes], [.string]], .bytes,
      "The SHA-256, 32 octets."),
  ]

  private static let stringMethods: [Builtin.Entry] = [
    method(.stringSize, .string, "size", [[]], .int, "The number of UTF-16 units."),
    method(.stringLower, .string, "lower", [[]], .string, "ASCII letters in lower case."),
    method(.stringUpper, .string, "upper", [[]], .string, "ASCII letters in upper case."),
    method(.stringTrim, .string, "trim", [[]], .string, "Without whitespace at both ends."),
    method(.stringToUTF8, .string, "toUtf8", [[]], .bytes, "The text as UTF-8 bytes."),
    method(
      .stringMatches, .string, "matches", [[.string]], .bool,
      "Whether the whole string matches a regular expression (RE2)."),
    method(
      .stringSplit, .string, "split", [[.string]], .list,
      "The pieces between matches of a regular expression."),
    method(
      .stringReplace, .string, "replace", [[.string, .string]], .string,
      "With each match of a regular expression replaced."),
    method(.bytesSize, .bytes, "size", [[]], .int, "The number of octets."),
    method(.bytesToBase64, .bytes, "toBase64", [[]], .string, "URL-safe base64 with padding."),
    method(.bytesToHexString, .bytes, "toHexString", [[]], .string, "Upper-case hexadecimal."),
  ]

  private static let listMethods: [Builtin.Entry] = [
    method(.listSize, .list, "size", [[]], .int, "The number of elements."),
    method(.listConcat, .list, "concat", [[.list]], .list, "Both lists, one after the other."),
    method(.listRemoveAll, .list, "removeAll", [[.list]], .list, "Without the given elements."),
    method(.listHasAll, .list, "hasAll", [[.list]], .bool, "Whether all given are elements."),
    method(.listHasAny, .list, "hasAny", [[.list]], .bool, "Whether any given is an element."),
    method(.listHasOnly, .list, "hasOnly", [[.list]], .bool, "Whether all elements are given."),
    method(.listJoin, .list, "join", [[.string]], .string, "The elements as one string."),
    method(.listToSet, .list, "toSet", [[]], .set, "The distinct elements."),
  ]

  private static let setMethods: [Builtin.Entry] = [
    method(.setSize, .set, "size", [[]], .int, "The number of elements."),
    method(.setUnion, .set, "union", [[.set]], .set, "The elements of either."),
    method(.setIntersection, .set, "intersection", [[.set]], .set, "The elements of both."),
    method(.setDifference, .set, "difference", [[.set]], .set, "Without those of the argument."),
    method(.setHasAll, .set, "hasAll", [[.set], [.list]], .bool, "Whether all given are in it."),
    method(.setHasAny, .set, "hasAny", [[.set], [.list]], .bool, "Whether any given is in it."),
    method(.setHasOnly, .set, "hasOnly", [[.set], [.list]], .bool, "Whether all are given."),
  ]

  private static let mapMethods: [Builtin.Entry] = [
    method(.mapSize, .map, "size", [[]], .int, "The number of keys."),
    method(.mapKeys, .map, "keys", [[]], .list, "The keys, sorted by code point."),
    method(.mapValues, .map, "values", [[]], .list, "The values, in stored order."),
    Builtin.Entry(
      builtin: .mapGet, receiver: .map, namespace: nil, name: "get",
      overloads: [[.type(.string), .any], [.type(.list), .any]], result: .any,
      summary: "The value at a key or a path of keys, or the default."),
    method(.mapDiff, .map, "diff", [[.map]], .mapDiff, "What changed against an earlier map."),
    method(.diffAddedKeys, .mapDiff, "addedKeys", [[]], .set, "Keys that only the new map has."),
    method(.diffRemovedKeys, .mapDiff, "removedKeys", [[]], .set, "Keys that only the old has."),
    method(.diffChangedKeys, .mapDiff, "changedKeys", [[]], .set, "Keys whose values differ."),
    method(
      .diffAffectedKeys, .mapDiff, "affectedKeys", [[]], .set, "Keys added, removed or changed."),
    method(.diffUnchangedKeys, .mapDiff, "unchangedKeys", [[]], .set, "Keys with equal values."),
  ]

  private static let timeMethods: [Builtin.Entry] = [
    method(.durationSeconds, .duration, "seconds", [[]], .int, "The whole seconds."),
    method(.durationNanos, .duration, "nanos", [[]], .int, "The nanoseconds beyond them."),
    method(.timestampYear, .timestamp, "year", [[]], .int, "The year."),
    method(.timestampMonth, .timestamp, "month", [[]], .int, "The month, 1 to 12."),
    method(.timestampDay, .timestamp, "day", [[]], .int, "The day of the month, from 1."),
    method(.timestampDayOfWeek, .timestamp, "dayOfWeek", [[]], .int, "1 Monday to 7 Sunday."),
    method(.timestampDayOfYear, .timestamp, "dayOfYear", [[]], .int, "The day, from 1."),
    method(.timestampHours, .timestamp, "hours", [[]], .int, "The hour, 0 to 23."),
    method(.timestampMinutes, .timestamp, "minutes", [[]], .int, "The minute, 0 to 59."),
    method(.timestampSeconds, .timestamp, "seconds", [[]], .int, "The second, 0 to 59."),
    method(.timestampNanos, .timestamp, "nanos", [[]], .int, "The nanoseconds of the second."),
    method(.timestampToMillis, .timestamp, "toMillis", [[]], .int, "Milliseconds since 1970."),
    method(.timestampDateOf, .timestamp, "date", [[]], .timestamp, "Midnight UTC of its day."),
    method(.timestampTime, .timestamp, "time", [[]], .duration, "The time since midnight UTC."),
    method(.latlngLatitude, .latlng, "latitude", [[]], .float, "The latitude, in degrees."),
    method(.latlngLongitude, .latlng, "longitude", [[]], .float, "The longitude, in degrees."),
    method(.latlngDistance, .latlng, "distance", [[.latlng]], .float, "The distance, in metres."),
    method(.pathBind, .path, "bind", [[.map]], .path, "With captures bound to values."),
    method(
      .pathSegments, .path, "segments", [[]], .list, "The segments as strings; undocumented."),
    method(
      .constraintHasAny, .constraint, "hasAny", [[.list]], .bool,
      "Whether an `array-contains` filter names one of the values."),
  ]
}
