/// Methods of other languages that authors of rules look for.
enum ForeignMethod {
  /// Returns the code to write instead of a method that this language does not have; nil for names without a
  /// known equivalent.
  static func help(for name: String) -> String? {
    switch name {
    case "length", "count", "len": "the length of a string, list or map is `x.size()`"
    case "includes", "contains", "has", "indexOf", "containsKey", "hasOwnProperty":
      "write `value in list`, or `'key' in map`; find a part of a string with "
        + "`x.matches('.*part.*')`"
    case "startsWith": "write `x.matches('prefix.*')`"
    case "endsWith": "write `x.matches('.*suffix')`"
    case "match", "test": "write `x.matches('pattern')`, which must match the whole string"
    case "toLowerCase", "toLower": "write `x.lower()`"
    case "toUpperCase", "toUpper": "write `x.upper()`"
    case "equals", "isEqual": "compare with `==`"
    case "isEmpty": "write `x.size() == 0`"
    case "substring", "substr", "slice": "write `x[0:3]`"
    case "toString": "write `string(x)`"
    case "parseInt", "Number": "write `int(x)`"
    case "getTime", "valueOf": "write `x.toMillis()`"
    case "now", "Date": "the time of the request is `request.time`"
    case "typeof", "isString", "isNumber", "isArray":
      "write `x is string`, `x is number` or `x is list`"
    default: nil
    }
  }
}
