import RulesLang

/// The role of a piece in the layout: tokens of one kind have several uses.
enum Role: UInt8 {
  /// A comment.
  case comment
  /// A complete operand or its last piece: a name, a literal.
  case operand
  /// Any other token: a keyword, or one in a wrong place.
  case other
  /// `{` and `}` around statements.
  case blockOpen, blockClose
  /// Brackets of expressions; `apply` if they are directly behind an operand, as in calls and indices.
  case open, apply, close
  /// `(` and `)` in `/$(…)`.
  case interpolationOpen, interpolationClose
  /// The pieces of `{name=**}`.
  case captureOpen, captureInside, captureClose
  /// The slash of `/{…}` and `/$(…)`, and the dollar sign.
  case pathSlash, pathDollar
  /// Binary operators, including the question mark and the colon of a ternary.
  case binary
  /// `!` and unary minus.
  case prefix
  /// The colon after operations or after a key.
  case label
  /// The colon of a slice.
  case slice
  case comma, semicolon, dot
  /// A token that is wrong here, or not of the language at all: the white space around it stays as it is.
  case stray
  case end

  /// True if an operator behind it is binary, and a bracket is a call or an index.
  var endsOperand: Bool {
    self == .operand || self == .close || endsPath
  }

  /// True if a path can continue behind it.
  var endsPath: Bool { self == .captureClose || self == .interpolationClose }
}

/// The roles of all pieces, the partners of brackets, and where statements begin.
struct Roles {
  private let pieces: Pieces
  /// The tokens among the pieces, as indices.
  private var tokens: [Int] = []
  private var open = OpenBrackets()
  /// The first word of the current statement, up to its brace or semicolon.
  private var head: TokenKind?
  private var isAtStart = true

  /// The role of each piece.
  private(set) var roles: [Role]
  /// The index of each bracket's partner, for the brackets of expressions and of blocks; -1 for none.
  private(set) var partners: [Int32]
  /// For each piece, true if a statement begins with it.
  private(set) var starts: [Bool]

  /// Assigns the roles in one pass, with an explicit stack.
  init(of pieces: Pieces) {
    self.pieces = pieces
    roles = Array(repeating: .comment, count: pieces.count)
    partners = Array(repeating: -1, count: pieces.count)
    starts = Array(repeating: false, count: pieces.count)
    for index in 0..<pieces.count where !pieces[index].isComment { tokens.append(index) }
    var place = 0
    while place < tokens.count { place += take(place) }
  }

  private func kind(_ place: Int) -> TokenKind {
    place < tokens.count ? pieces[tokens[place]].token ?? .endOfFile : .endOfFile
  }

  private func role(_ place: Int) -> Role { place >= 0 ? roles[tokens[place]] : .other }

  /// Assigns roles to a token, or to several, and returns their number.
  private mutating func take(_ place: Int) -> Int {
    let kind = kind(place)
    let isMember = role(place - 1) == .dot
    if !isMember, kind.beginsStatement {
      closeBrackets()
      isAtStart = true
    }
    if isAtStart, kind != .rightBrace, kind != .endOfFile {
      starts[tokens[place]] = true
      head = kind
      isAtStart = false
    }
    if kind == .slash, let count = capture(place) { return count }
    roles[tokens[place]] = isMember ? memberRole(kind, place) : role(of: kind, place)
    return 1
  }

  private mutating func memberRole(_ kind: TokenKind, _ place: Int) -> Role {
    kind.isMemberName || kind == .service ? .operand : role(of: kind, place)
  }

  private mutating func role(of kind: TokenKind, _ place: Int) -> Role {
    let follows = role(place - 1).endsOperand
    switch kind {
    case .identifier, .serviceName, .int, .float, .string, .bytes, .pathSegment, .true, .false,
      .null, .unclosedString:
      return .operand
    case .orOr, .andAnd, .equalEqual, .notEqual, .lessEqual, .greaterEqual, .less, .greater, .plus,
      .star, .percent, .in, .is, .equal:
      return .binary
    case .minus: return follows ? .binary : .prefix
    case .bang: return .prefix
    case .question:
      open.ask()
      return .binary
    case .colon: return open.answer() ? .binary : open.innermost == .index ? .slice : .label
    case .slash: return slashRole(place, follows)
    case .dollar: return role(place - 1) == .pathSlash ? .pathDollar : .stray
    case .comma: return .comma
    case .dot: return .dot
    case .semicolon:
      closeBrackets()
      isAtStart = true
      return .semicolon
    case .leftParen, .leftBracket, .leftBrace, .rightParen, .rightBracket, .rightBrace:
      return bracketRole(kind, place, follows)
    case .starStar, .at, .plusPlus, .minusMinus: return .stray
    case .endOfFile: return .end
    case .rulesVersion, .allow, .function, .if, .import, .let, .match, .return, .service, .reserved:
      return .other
    }
  }

  // MARK: Paths

  /// Returns the role of a slash: of an interpolation, or a division.
  private func slashRole(_ place: Int, _ follows: Bool) -> Role {
    if kind(place + 1) == .dollar, kind(place + 2) == .leftParen { return .pathSlash }
    return follows ? .binary : .stray
  }

  /// Assigns the roles of `/{name}`, `/{name=*}` or `/{name=**}` and returns the number of tokens; nil for
  /// other tokens.
  private mutating func capture(_ place: Int) -> Int? {
    guard kind(place + 1) == .leftBrace, kind(place + 2).isName else { return nil }
    var last = place + 3
    if kind(last) == .equal, kind(last + 1) == .star || kind(last + 1) == .starStar { last += 2 }
    guard kind(last) == .rightBrace else { return nil }
    roles[tokens[place]] = .pathSlash
    roles[tokens[place + 1]] = .captureOpen
    for inside in (place + 2)..<last { roles[tokens[inside]] = .captureInside }
    roles[tokens[last]] = .captureClose
    return last - place + 1
  }

  // MARK: Brackets

  private mutating func bracketRole(_ kind: TokenKind, _ place: Int, _ follows: Bool) -> Role {
    let index = tokens[place]
    switch kind {
    case .leftParen where role(place - 1) == .pathDollar:
      open.push(.parenthesis, index)
      return .interpolationOpen
    case .leftParen, .leftBracket:
      open.push(kind == .leftParen ? .parenthesis : follows ? .index : .list, index)
      return follows ? .apply : .open
    case .leftBrace:
      guard beginsBlock(place) else {
        open.push(.map, index)
        return .open
      }
      closeBrackets()
      open.pushBlock(index)
      isAtStart = true
      head = nil
      return .blockOpen
    case .rightBrace where !open.has(.map):
      closeBrackets()
      pair(open.popBlock(), with: index)
      isAtStart = true
      return .blockClose
    default:
      let opener = open.pop(kind == .rightParen ? .parenthesis : kind == .rightBrace ? .map : .list)
      pair(opener, with: index)
      if let opener, roles[opener] == .interpolationOpen { return .interpolationClose }
      return .close
    }
  }

  /// True if the brace begins a block: it ends the head of a block, or a statement's keyword is next.
  private func beginsBlock(_ place: Int) -> Bool {
    switch head {
    case .match, .service, .function: return true
    default: return kind(place + 1).beginsStatement
    }
  }

  private mutating func pair(_ opener: Int?, with closer: Int) {
    guard let opener else { return }
    partners[opener] = Int32(closer)
    partners[closer] = Int32(opener)
  }

  private mutating func closeBrackets() { open.closeAll() }
}

extension TokenKind {
  /// True if the word begins a statement anywhere except after a dot.
  fileprivate var beginsStatement: Bool {
    switch self {
    case .allow, .match, .function, .service, .let, .return, .import, .rulesVersion: true
    default: false
    }
  }
}

/// The stack of open brackets, with counts, so that searching for one that is not open is fast.
private struct OpenBrackets {
  /// The kind of a bracket. Lists and indices have the same closing bracket.
  enum Kind { case parenthesis, list, index, map, block }

  private struct Entry {
    var kind: Kind
    var index: Int
    /// The question marks without their colons.
    var questions = 0
    /// For a block: the counts of the brackets around it.
    var outer: [Int] = []
  }

  private var stack: [Entry] = []
  /// The counts of open parentheses, of lists with indices, and of maps since the last block.
  private var counts = [0, 0, 0]
  /// The question marks outside of all brackets, without their colons.
  private var questions = 0

  private static func counter(_ kind: Kind) -> Int? {
    switch kind {
    case .parenthesis: 0
    case .list, .index: 1
    case .map: 2
    case .block: nil
    }
  }

  var innermost: Kind? { stack.last?.kind }

  func has(_ kind: Kind) -> Bool { Self.counter(kind).map { counts[$0] > 0 } ?? false }

  mutating func push(_ kind: Kind, _ index: Int) {
    stack.append(Entry(kind: kind, index: index))
    if let counter = Self.counter(kind) { counts[counter] += 1 }
  }

  mutating func pushBlock(_ index: Int) {
    stack.append(Entry(kind: .block, index: index, outer: counts))
    counts = [0, 0, 0]
  }

  /// Closes brackets up to the innermost one that matches the closing bracket and returns its index; nil,
  /// without closing any, if the statement has none.
  mutating func pop(_ kind: Kind) -> Int? {
    guard has(kind), let wanted = Self.counter(kind) else { return nil }
    while let entry = stack.popLast() {
      guard let counter = Self.counter(entry.kind) else { return nil }
      counts[counter] -= 1
      if counter == wanted { return entry.index }
    }
    return nil
  }

  /// Closes all brackets of a statement.
  mutating func closeAll() {
    while let last = stack.last, last.kind != .block { stack.removeLast() }
    counts = [0, 0, 0]
    questions = 0
  }

  mutating func popBlock() -> Int? {
    guard let last = stack.last, last.kind == .block else { return nil }
    stack.removeLast()
    counts = last.outer
    return last.index
  }

  mutating func ask() {
    if stack.isEmpty || innermost == .block {
      questions += 1
    } else {
      stack[stack.count - 1].questions += 1
    }
  }

  /// Matches a colon with a question mark. False if there is none.
  mutating func answer() -> Bool {
    if stack.isEmpty || innermost == .block {
      guard questions > 0 else { return false }
      questions -= 1
      return true
    }
    guard stack[stack.count - 1].questions > 0 else { return false }
    stack[stack.count - 1].questions -= 1
    return true
  }
}
