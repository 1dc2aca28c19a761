public import RulesLang

/// A path: segments, some of which may be captures, bound or not (Docs/Language.md §8).
public struct PathValue: Sendable, Hashable {
  /// One segment of a path.
  public enum Segment: Sendable, Hashable {
    /// A segment with this text.
    case plain(Text)
    /// `{name}`, with the segment that `bind` bound to it.
    case capture(Text, Text?)
    /// `{name=**}`, with the segments that `bind` bound to it.
    case glob(Text, [Text]?)
  }

  /// The segments in order.
  public var segments: [Segment]

  /// Creates a path of steps.
  public init(_ segments: [Segment]) { self.segments = segments }

  /// Creates a path of plain segments.
  public init(plain: [Text]) { segments = plain.map { .plain($0) } }

  /// The first name that more than one capture has.
  var repeatedName: Text? {
    let names = segments.compactMap { $0.name }
    for (place, name) in names.enumerated() where names[..<place].contains(name) { return name }
    return nil
  }

  /// Returns the texts of all segments; throws an error with the name of a capture that is not bound.
  package func flattened() throws(EvaluationError.Reason) -> [Text] {
    var texts: [Text] = []
    for segment in segments {
      switch segment {
      case .plain(let text), .capture(_, .some(let text)): texts.append(text)
      case .glob(_, .some(let run)): texts += run
      case .capture(let name, .none), .glob(let name, .none): throw .unboundPathVariable(name)
      }
    }
    return texts
  }

  /// Returns the segments with each bound glob replaced by plain segments; throws an error with the name of a
  /// capture that is not bound. Bound captures keep their names, by which they can still be read; globs do
  /// not.
  func unrolled() throws(EvaluationError.Reason) -> [Segment] {
    var steps: [Segment] = []
    for segment in segments {
      switch segment {
      case .plain, .capture(_, .some): steps.append(segment)
      case .glob(_, .some(let run)): steps += run.map { .plain($0) }
      case .capture(let name, .none), .glob(let name, .none): throw .unboundPathVariable(name)
      }
    }
    return steps
  }

  /// The text that `string(path)` returns: unbound captures are empty.
  public var text: Text {
    var result = Text()
    for segment in segments {
      switch segment {
      case .plain(let text), .capture(_, .some(let text)): result.append(Text("/") + text)
      case .glob(_, .some(let run)):
        // A run of no segments still leaves its slash.
        if run.isEmpty { result.append(Text("/")) }
        for text in run { result.append(Text("/") + text) }
      case .capture(_, .none), .glob(_, .none): result.append(Text("/"))
      }
    }
    return result.isEmpty ? "/" : result
  }

  /// The path as the emulator's reports show it: unbound captures are written out, as `/a/{x}`.
  public var shown: Text {
    var result = Text()
    for segment in segments {
      switch segment {
      case .plain, .capture(_, .some), .glob(_, .some):
        result.append(PathValue([segment]).text)
      case .capture(let name, .none): result.append(Text("/{") + name + "}")
      case .glob(let name, .none): result.append(Text("/{") + name + "=**}")
      }
    }
    return result.isEmpty ? "/" : result
  }

  /// Returns the value of `path.name`.
  func binding(_ name: Text) throws(EvaluationError.Reason) -> Value {
    for segment in segments {
      switch segment {
      case .plain: continue
      case .capture(let known, let bound) where known == name:
        guard let bound else { throw .unboundPathVariable(name) }
        return .string(bound)
      case .glob(let known, let bound) where known == name:
        guard let bound else { throw .unboundPathVariable(name) }
        return .path(PathValue(plain: bound))
      case .capture, .glob: continue
      }
    }
    throw .undefinedProperty(name)
  }
}

extension PathValue.Segment {
  /// The name of a capture.
  var name: Text? {
    switch self {
    case .plain: nil
    case .capture(let name, _), .glob(let name, _): name
    }
  }
}
