import RulesEval
import RulesLang

// Other starting documents for sequences: as create statements leave them, or with arbitrary
// contents.

extension StepSequence {
  /// Returns the sequence whose commit also creates a document that it finds; nil for the requested
  /// document.
  func creating(_ path: DocumentPath) -> StepSequence? {
    guard step.method.isWrite, path != later.path,
      let place = step.others.firstIndex(where: { $0.path == path && !$0.isChanged })
    else { return nil }
    var other = self
    other.step.others[place].before = nil
    other.settle()
    return other
  }

  /// Makes another write of the commit its main one, and removes the main one.
  mutating func beginWithWrite(at place: Int) {
    let write = step.others.remove(at: place)
    if let data = step.before {
      step.others.append(CandidateRequest.Other(path: step.path, before: data, after: data))
    }
    step.method = write.before == nil ? .create : write.after == nil ? .delete : .update
    (step.path, step.before, step.after) = (write.path, write.before, write.after)
  }

  /// Adds the documents of a creating request to the starting state.
  mutating func add(_ creation: CandidateRequest) {
    add(creation.after, at: creation.path)
    for other in creation.others { add(other.after, at: other.path) }
    settle()
  }

  private mutating func add(_ data: MapValue?, at path: DocumentPath) {
    guard let data else { return }
    if path == step.path {
      // A document that the commit creates cannot exist before.
      guard step.before != nil else { return }
      for (key, value) in data where step.before?[key] == nil {
        step.before?[key] = value
        if let after = step.after, after[key] == nil { step.after?[key] = value }
      }
    } else if let place = step.others.firstIndex(where: { $0.path == path }) {
      if step.others[place].before != nil { step.others[place].extend(with: data) }
    } else {
      step.others.append(CandidateRequest.Other(path: path, before: data, after: data))
    }
  }

  /// Returns the sequence with other contents of a starting document, and the commit changed
  /// accordingly, with the changed fields; nil if the contents cannot be replaced, or are empty.
  ///
  /// - Parameter renaming: True to rename the written document accordingly, too.
  func saying(
    somethingElseAt path: DocumentPath, renaming: Bool
  ) -> (sequence: StepSequence, fields: [Text])? {
    guard let data = documents[path], data.count > 0,
      case .string(let uid)? = later.principal?.uid
    else { return nil }
    var known: [(old: Value, new: Value)] = []
    for (_, value) in data {
      guard value.replacements(besides: uid, &known) else { return nil }
    }
    var other = self
    func replaced(_ data: MapValue?) -> MapValue? {
      data.map { MapValue($0.map { ($0.0, $0.1.replacing(known)) }) }
    }
    func filled(_ old: MapValue?, _ new: MapValue?) -> (MapValue?, MapValue?) {
      Self.filled(replaced(old), replaced(new))
    }
    if path == step.path {
      (other.step.before, other.step.after) = filled(step.before, step.after)
    } else {
      other.step.after = step.after.map { after in
        MapValue(
          after.map { key, value in
            let isKept = step.before?[key].map { Value.areIdentical($0, value) } ?? false
            return (key, isKept ? value : value.replacing(known))
          })
      }
      for place in step.others.indices where step.others[place].path == path {
        (other.step.others[place].before, other.step.others[place].after) = filled(
          step.others[place].before, step.others[place].after)
      }
    }
    if later.path == path, let after = later.after, later.method == .update {
      other.later.after = replaced(after)
    }
    if renaming {
      guard path != step.path, step.method == .create else { return nil }
      other.step.path = DocumentPath(
        step.path.segments.enumerated().map { place, segment in
          place.isMultiple(of: 2) ? segment : segment.replacing(known)
        })
    }
    other.settle()
    return (other, data.keys)
  }

  /// Returns the sequence with somebody added to the empty lists of a starting document; nil if
  /// there is none.
  func filling(_ path: DocumentPath) -> StepSequence? {
    var other = self
    if path == step.path {
      (other.step.before, other.step.after) = Self.filled(step.before, step.after)
    } else if let place = step.others.firstIndex(where: { $0.path == path }) {
      let old = step.others[place]
      (other.step.others[place].before, other.step.others[place].after) = Self.filled(
        old.before, old.after)
    }
    other.settle()
    guard let old = documents[path], let new = other.documents[path],
      !Value.areIdentical(.map(old), .map(new))
    else { return nil }
    return other
  }

  /// Returns a document before and after a commit with somebody added to each list that was empty
  /// before.
  private static func filled(_ old: MapValue?, _ new: MapValue?) -> (MapValue?, MapValue?) {
    var (before, after) = (old, new)
    for (key, value) in old ?? MapValue() {
      guard case .list(let elements) = value, elements.isEmpty else { continue }
      before?[key] = .list([somebody])
      if case .list(let later)? = new?[key] { after?[key] = .list([somebody] + later) }
    }
    return (before, after)
  }

  private static var somebody: Value { .string("bob") }
}

extension Text {
  /// Returns the text with the first known string in it replaced.
  fileprivate func replacing(_ known: [(old: Value, new: Value)]) -> Text {
    for case (.string(let old), .string(let new)) in known where !old.isEmpty {
      let places = bytes.indices.filter { bytes[$0...].starts(with: old.bytes) }
      guard let place = places.first else { continue }
      return Text(
        wellFormed: Array(bytes[..<place]) + new.bytes + bytes[(place + old.bytes.count)...])
    }
    return self
  }
}

extension Value {
  /// Adds a replacement for each part of the value; false if a part names a client or cannot be
  /// replaced.
  fileprivate func replacements(besides uid: Text, _ known: inout [(old: Value, new: Value)])
    -> Bool
  {
    let new: Value
    switch self {
    case .string(let text):
      if text == uid { return false }
      new = .string(text + Text("-other"))
    case .int(let number): new = .int(number < .max ? number + 1 : number - 1)
    case .float(let number): new = .float(number + 1)
    case .bool(let flag): new = .bool(!flag)
    case .timestamp(let time):
      guard let later = Timestamp(epochSeconds: time.epochSeconds + 1, nanos: Int64(time.nanos))
      else {
        return false
      }
      new = .timestamp(later)
    case .list(let elements):
      return elements.allSatisfy { $0.replacements(besides: uid, &known) }
    case .map(let map): return map.values.allSatisfy { $0.replacements(besides: uid, &known) }
    case .null, .bytes, .set, .duration, .latlng, .path, .mapDiff, .vector, .constraint:
      return false
    }
    if !known.contains(where: { Value.areIdentical($0.old, self) }) { known.append((self, new)) }
    return true
  }

  fileprivate func replacing(_ known: [(old: Value, new: Value)]) -> Value {
    if let found = known.first(where: { Value.areIdentical($0.old, self) }) { return found.new }
    switch self {
    case .list(let elements): return .list(elements.map { $0.replacing(known) })
    case .map(let map): return .map(MapValue(map.map { ($0.0, $0.1.replacing(known)) }))
    case .null, .bool, .int, .float, .string, .bytes, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      return self
    }
  }
}
