import RulesLang

/// The context of a position in rules, determined from the tokens before it alone, because somebody is typing
/// there and anything may follow.
struct TypingPlace {
  /// The construct that an open brace begins.
  enum Block {
    case file, service, match, function, map, capture
  }

  /// An open block, with the names that its statements can use.
  private struct Frame {
    var block: Block
    /// The names that it declares: captures, parameters, lets.
    var names: [String] = []
    /// The first token of the current statement.
    var start: Int
  }

  /// The name that is being typed; empty if there is none yet.
  let word: SourceRange
  /// The number of tokens before the word.
  let before: Int
  /// The construct that the innermost open brace begins.
  let block: Block
  /// The first token of the statement around the position.
  let statement: Int
  /// The visible captures, parameters and lets, outermost first.
  let names: [String]

  /// Reads the tokens before an offset.
  init(_ offset: Int, in list: TokenList) {
    var before = list.count(before: offset)
    if before > 0, Int(list.tokens[before - 1].range.end) >= offset, list.isWord(before - 1) {
      before -= 1
      word = SourceRange(
        start: list.tokens[before].range.start, end: UInt32(offset))
    } else {
      word = SourceRange(start: offset, end: offset)
    }
    self.before = before
    var scan = Scan(list)
    for index in 0..<before { scan.take(index) }
    block = scan.frames[scan.frames.count - 1].block
    statement = scan.frames.last { $0.block != .map && $0.block != .capture }?.start ?? 0
    names = scan.frames.flatMap { $0.names } + scan.captures
  }

  private struct Scan {
    let list: TokenList
    var frames = [Frame(block: .file, start: 0)]
    /// Captures and parameters of the current statement, whose block is not open yet.
    var captures: [String] = []

    init(_ list: TokenList) { self.list = list }

    private var first: TokenKind {
      let start = frames[frames.count - 1].start
      return start < list.tokens.count ? list.tokens[start].kind : .endOfFile
    }

    mutating func take(_ index: Int) {
      let token = list.tokens[index]
      let previous = index > 0 ? list.tokens[index - 1].kind : .endOfFile
      switch token.kind {
      case .leftBrace: open(index, after: previous)
      case .rightBrace: close(index)
      case .semicolon: restart(index + 1)
      case .allow, .match, .function, .let, .return, .service:
        if previous != .dot, frames[frames.count - 1].block != .map { restart(index) }
      default: note(index, after: previous)
      }
    }

    private mutating func restart(_ index: Int) {
      guard frames[frames.count - 1].block != .capture else { return }
      frames[frames.count - 1].start = index
      captures = []
    }

    private mutating func open(_ index: Int, after previous: TokenKind) {
      let block: Block
      switch first {
      case _ where previous == .slash && first == .match: block = .capture
      case .service: block = .service
      case .match: block = .match
      case .function where frames[frames.count - 1].block != .function: block = .function
      default: block = .map
      }
      let names = block == .match || block == .function ? captures : []
      if block != .capture, block != .map { captures = [] }
      frames.append(Frame(block: block, names: names, start: index + 1))
    }

    private mutating func close(_ index: Int) {
      guard frames.count > 1 else { return }
      let closed = frames.removeLast().block
      if closed != .map, closed != .capture { restart(index + 1) }
    }

    private mutating func note(_ index: Int, after previous: TokenKind) {
      guard list.tokens[index].kind == .identifier else { return }
      let frame = frames[frames.count - 1]
      if frame.block == .capture, previous == .leftBrace {
        captures.append(list.text(index))
      } else if first == .function, frame.block != .function,
        previous == .leftParen || previous == .comma
      {
        captures.append(list.text(index))
      } else if frame.block == .function, previous == .let {
        frames[frames.count - 1].names.append(list.text(index))
      }
    }
  }
}
