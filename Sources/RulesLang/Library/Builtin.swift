/// A built-in function or method: one for each pair of receiver type and name.
///
/// The evaluator and the prover switch over this enumeration; names, parameters and result types are in
/// `Builtins.table`, the only such list.
public enum Builtin: UInt8, CaseIterable, Sendable {
  // Conversions.
  case int, float, string, path, vector
  // Lookups.
  case get, exists, getAfter, existsAfter, value
  case debug
  // math
  case mathAbs, mathCeil, mathFloor, mathRound, mathSqrt, mathPow, mathIsNaN, mathIsInfinity
  // timestamp, duration, latlng
  case timestampValue, timestampDate
  case durationValue, durationTime, durationAbs
  case latlngValue
  // hashing
  case hashingCRC32, hashingCRC32C, hashingMD5, hashingSHA256
  // string
  case stringSize, stringLower, stringUpper, stringTrim, stringToUTF8
  case stringMatches, stringSplit, stringReplace
  // bytes
  case bytesSize, bytesToBase64, bytesToHexString
  // list
  case listSize, listConcat, listRemoveAll, listHasAll, listHasAny, listHasOnly, listJoin, listToSet
  // set
  case setSize, setUnion, setIntersection, setDifference, setHasAll, setHasAny, setHasOnly
  // map
  case mapSize, mapKeys, mapValues, mapGet, mapDiff
  // map_diff
  case diffAddedKeys, diffRemovedKeys, diffChangedKeys, diffAffectedKeys, diffUnchangedKeys
  // duration
  case durationSeconds, durationNanos
  // timestamp
  case timestampYear, timestampMonth, timestampDay, timestampDayOfWeek, timestampDayOfYear
  case timestampHours, timestampMinutes, timestampSeconds, timestampNanos, timestampToMillis
  case timestampDateOf, timestampTime
  // latlng
  case latlngLatitude, latlngLongitude, latlngDistance
  // path
  case pathBind, pathSegments
  // constraint
  case constraintHasAny
}

extension Builtin {
  /// True if it looks up a stored document: `get`, `exists`, `getAfter`, `existsAfter`, `value`.
  public var isLookup: Bool {
    [.get, .exists, .getAfter, .existsAfter, .value].contains(self)
  }

  /// The built-in to which calls are bound: `get` for `value`, which is an alias of it.
  public var meaning: Builtin { self == .value ? .get : self }

  /// True if Google documents it. The emulator's compiler knows four more (Docs/Language.md §8.17).
  public var isDocumented: Bool {
    switch self {
    case .value, .vector, .pathSegments, .mathIsInfinity: false
    default: true
    }
  }

  /// The type of one parameter.
  public enum Parameter: Sendable, Hashable {
    /// Exactly this type; for a float also an int.
    case type(ValueType)
    /// Any type at all.
    case any

    /// The type's name in messages.
    public var word: String {
      switch self {
      case .type(let type): type.word
      case .any: "any"
      }
    }

    /// True if a value of `type` is accepted.
    public func accepts(_ type: ValueType) -> Bool {
      switch self {
      case .any: true
      case .type(let wanted): wanted == type || (wanted == .float && type == .int)
      }
    }
  }

  /// The description of a built-in: name, parameters and result.
  public struct Entry: Sendable {
    /// The function or method.
    public var builtin: Builtin
    /// The receiver type of a method; nil for functions.
    public var receiver: ValueType?
    /// The namespace of a function such as `math.abs`.
    public var namespace: Text?
    /// The name after the dot or namespace.
    public var name: Text
    /// The parameter lists, in the order in which messages print them.
    public var overloads: [[Parameter]]
    /// The result types.
    public var result: TypeSet
    /// One sentence of documentation.
    public var summary: String

    /// The result types for the checker; Google's knows nothing about lookups.
    ///
    /// Google's checker takes the list that `segments()` returns for a path, and warns of `.size()` on it,
    /// which works. That warning is left out: here it would be an error.
    var inferredResult: TypeSet {
      builtin.isLookup || builtin == .pathSegments ? .any : result
    }

    /// The name in calls: `math.abs`, or the bare method name.
    public var fullName: String {
      guard let namespace else { return String(name) }
      return String(namespace) + "." + String(name)
    }

    /// The signatures as the engine prints them: `map.get(string, any), map.get(list, any)`.
    public var signatures: String {
      // The engine answers for constraints with the signature of lists (Docs/Language.md §9).
      let owner = receiver == .constraint ? ValueType.list : receiver
      let prefix = owner.map { $0.word + "." } ?? ""
      var text = ""
      for overload in overloads {
        if !text.isEmpty { text += ", " }
        text += prefix + fullName + "("
        text += overload.map { $0.word }.joined(separator: ", ") + ")"
      }
      return text
    }
  }
}
