/// A pattern as a deterministic automaton that reads one code point at a time, for computing what texts
/// several patterns have in common.
public struct PatternMachine: Sendable {
  private let automaton: PatternAutomaton
  private let alphabet: PatternAlphabet

  /// Creates the machine of a pattern; nil if it would be too large.
  public init?(_ pattern: Pattern) {
    guard let automaton = pattern.automaton else { return nil }
    self.automaton = automaton
    alphabet = pattern.program.alphabet
  }

  /// The state before the first code point.
  public var start: Int { automaton.start }

  /// Returns the state after a code point. State 0 is a dead end: it accepts nothing and is never left.
  public func step(_ state: Int, by codePoint: UInt32) -> Int {
    automaton.step(state, by: alphabet.classID(of: codePoint))
  }

  /// True if a text may end in a state.
  public func accepts(_ state: Int) -> Bool { automaton.accepts(state) }

  /// The first code points of the intervals within which the pattern tells no code points apart,
  /// ascending from 0.
  public var boundaries: [UInt32] { alphabet.starts }

  /// Returns a reader for a fixed list of code points, which are then named by their index in `letters`.
  public func reading(_ letters: [UInt32]) -> Reader {
    Reader(automaton: automaton, classes: letters.map { alphabet.classID(of: $0) })
  }

  /// An automaton that reads code points by their index in a list.
  public struct Reader: Sendable {
    fileprivate let automaton: PatternAutomaton
    fileprivate let classes: [PatternAlphabet.ClassID]

    /// The state after a code point.
    public func step(_ state: Int, by place: Int) -> Int {
      automaton.step(state, by: classes[place])
    }
  }
}
