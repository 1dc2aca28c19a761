import RulesLang

/// Breaks statements that are too wide for one line.
///
/// An expression that does not fit is broken at all of its operators of lowest precedence, which begin the
/// new lines; an operand that still does not fit is broken in the same way, one level further in. Without
/// `&&`, `||` or a ternary, a line is broken before the one operator or the last call, if two lines then
/// suffice; else the last brackets are opened, with one element a line.
struct LineBreaking {
  /// Maximum columns of a line.
  static let columns = 100
  /// Maximum nesting of expressions that are broken; deeper ones stay on one line.
  private static let maximumDepth = 48

  /// The tokens and comments of the text.
  let pieces: Pieces
  /// The role of each piece.
  let roles: [Role]
  /// The index of each bracket's partner.
  let partners: [Int32]
  /// The widths of pieces.
  let measure: Measure
  /// For each piece, true if a line begins with it.
  private(set) var begins: [Bool]
  /// The indentation of each piece that begins a line.
  var indents: [Int]

  /// A part of a statement that is to be laid out.
  struct Part {
    /// The first and the last piece.
    var first: Int
    /// The last piece.
    var last: Int
    /// The column, from 0, in which it begins.
    var column: Int
    /// The indentation of the line in which it begins, also for closing brackets.
    var base: Int
    /// The indentation of lines that begin with its operators.
    var operators: Int
    /// The columns to leave free behind it.
    var tail: Int
    /// The nesting depth.
    var depth: Int
  }

  /// Begins with everything on one line.
  init(_ pieces: Pieces, _ roles: Roles) {
    self.pieces = pieces
    self.roles = roles.roles
    partners = roles.partners
    measure = Measure(pieces, roles.roles)
    begins = Array(repeating: false, count: pieces.count)
    indents = Array(repeating: 0, count: pieces.count)
  }

  /// Breaks a statement that begins in the column of its indentation.
  mutating func breakStatement(_ range: ClosedRange<Int>, indent: Int) {
    let (start, end) = (range.lowerBound, range.upperBound)
    let inner = indent + Layout.step
    for index in range.dropFirst() { indents[index] = inner }
    if roles[end] == .blockOpen { indents[end] = indent }
    if fits(start, end, at: indent) { return }
    var last = end
    var tail = 0
    if end > start, roles[end] == .semicolon || roles[end] == .blockOpen {
      tail = 1 + measure.blanks[end]
      last -= 1
    }
    while last > start, pieces[last].isComment { last -= 1 }
    guard var first = expressionStart(start, last) else { return }
    while first < last, pieces[first].isComment { first += 1 }
    layOut(
      Part(
        first: first, last: last, column: column(of: first, from: start, indent, inner),
        base: indent, operators: inner, tail: tail, depth: 0))
    indents[first] = first == start ? indent : inner
  }

  /// Returns where the expression of a statement begins; nil if it has none that can be broken.
  private func expressionStart(_ start: Int, _ last: Int) -> Int? {
    guard let head = pieces[start].token else { return nil }
    var index = start
    switch head {
    case .match, .service, .import, .rulesVersion: return nil
    case .return, .function: index += 1
    case .allow, .let:
      while index <= last, !isLead(index) { index += 1 }
      index += 1
      while index <= last, pieces[index].isComment || pieces[index].token == .if { index += 1 }
    default: break
    }
    return index <= last ? index : nil
  }

  /// True if an expression follows the piece: a colon, an equals sign or `if`.
  private func isLead(_ index: Int) -> Bool {
    roles[index] == .label || pieces[index].token == .equal || pieces[index].token == .if
  }

  private func column(of piece: Int, from start: Int, _ indent: Int, _ inner: Int) -> Int {
    var (from, column) = (start, indent)
    for index in start..<max(start, piece) where measure.isForced[index + 1] {
      (from, column) = (index + 1, inner)
    }
    return from == piece
      ? column : column + measure.width(from, piece) - measure.width(piece, piece)
  }

  private func fits(_ first: Int, _ last: Int, at column: Int, tail: Int = 0) -> Bool {
    measure.isFlat(first, last) && column + measure.width(first, last) + tail <= Self.columns
  }

  // MARK: Parts

  private mutating func layOut(_ whole: Part) {
    guard let part = withoutComments(whole) else { return }
    if fits(part.first, part.last, at: part.column, tail: part.tail) { return }
    guard part.depth < Self.maximumDepth else { return }
    let found = operators(part)
    guard found.precedence > .and else { return breakOperators(found.places, part) }
    if found.places.count == 1, splits(part, at: found.places[0]) { return }
    let calls = callDots(part)
    if let last = calls.last, found.places.isEmpty, splits(part, at: last) { return }
    if openLastBrackets(part) { return }
    if !found.places.isEmpty { return breakOperators(found.places, part) }
    breakCalls(calls, part)
  }

  /// Returns a part without the comments around it, whose pieces all get their indentation; nil if nothing is
  /// left.
  private mutating func withoutComments(_ whole: Part) -> Part? {
    var part = whole
    while part.first <= part.last, pieces[part.first].isComment {
      indents[part.first] = part.base
      part.first += 1
      if part.first <= part.last, measure.isForced[part.first] { part.column = part.base }
    }
    while part.last >= part.first, pieces[part.last].isComment {
      indents[part.last] = part.base
      part.last -= 1
    }
    guard part.first <= part.last else { return nil }
    indents[part.first] = part.base
    for index in (part.first + 1)..<max(part.first + 1, part.last + 1) {
      indents[index] = part.operators
    }
    return part
  }

  /// Begins a line with a piece, or with the comments that belong to it.
  private mutating func begin(_ piece: Int, indent: Int) {
    var first = piece
    while first > 0, pieces[first - 1].isComment, !trails(first - 1) { first -= 1 }
    begins[first] = true
    for index in first...piece { indents[index] = indent }
  }

  /// True if a comment belongs to the piece before it, not to the next one.
  private func trails(_ comment: Int) -> Bool {
    guard pieces[comment].lineFeeds == 0, !pieces[comment].keepsGap else { return false }
    if pieces[comment].kind == .lineComment || pieces[comment + 1].lineFeeds > 0 { return true }
    switch roles[comment + 1] {
    case .binary, .comma, .semicolon, .close, .blockOpen, .dot: return true
    default: return false
    }
  }

  /// Begins a line before a piece of a part if both lines then fit. False if they do not.
  private mutating func splits(_ part: Part, at piece: Int) -> Bool {
    guard piece > part.first, !staysBehind(piece, part),
      fits(part.first, piece - 1, at: part.column),
      fits(piece, part.last, at: part.operators, tail: part.tail)
    else { return false }
    begin(piece, indent: part.operators)
    return true
  }

  // MARK: Operators

  /// The precedence classes of operators at which lines are broken, loosest first.
  private enum Precedence: Int {
    case ternary, or, and, comparison, sum, product, none

    static func > (left: Precedence, right: Precedence) -> Bool { left.rawValue > right.rawValue }
  }

  private func operators(_ part: Part) -> (precedence: Precedence, places: [Int]) {
    var (least, places) = (Precedence.none, [Int]())
    var index = part.first
    while index <= part.last {
      if roles[index] == .binary, index > part.first {
        let precedence = precedence(of: pieces[index].token ?? .equal)
        if least > precedence { (least, places) = (precedence, []) }
        if precedence == least { places.append(index) }
      }
      index = next(index, in: part)
    }
    return (least, places)
  }

  private func precedence(of token: TokenKind) -> Precedence {
    switch token {
    case .question, .colon: .ternary
    case .orOr: .or
    case .andAnd: .and
    case .plus, .minus: .sum
    case .star, .slash, .percent: .product
    default: .comparison
    }
  }

  /// Returns the index of the next piece; behind an opening bracket, the one after its partner.
  private func next(_ index: Int, in part: Part) -> Int {
    let partner = Int(partners[index])
    return partner > index && partner <= part.last ? partner + 1 : index + 1
  }

  private mutating func breakOperators(_ places: [Int], _ part: Part) {
    var operand = part
    operand.base = part.operators
    operand.operators = part.operators + Layout.step
    operand.depth += 1
    for place in places {
      operand.last = place - 1
      let width = measure.width(place, place)
      let isBehind = staysBehind(place, part)
      operand.tail = isBehind ? width + 1 : 0
      layOut(operand)
      if !isBehind { begin(place, indent: part.operators) }
      operand.first = place + 1
      operand.column = part.operators + (isBehind ? 0 : width + 1)
    }
    operand.last = part.last
    operand.tail = part.tail
    layOut(operand)
  }

  /// True if an operator stays at the end of its line, because a comment behind it ends the line.
  private func staysBehind(_ place: Int, _ part: Part) -> Bool {
    let next = place + 1
    guard next <= part.last, pieces[next].isComment else { return false }
    return pieces[next].kind == .lineComment || measure.isForced[next]
  }

  // MARK: Calls and brackets

  /// Returns the dots of method calls that are not inside brackets.
  private func callDots(_ part: Part) -> [Int] {
    var dots: [Int] = []
    var index = part.first
    while index <= part.last {
      if roles[index] == .dot, index > part.first, index + 2 <= part.last,
        roles[index + 2] == .apply, pieces[index + 2].token == .leftParen
      {
        dots.append(index)
      }
      index = next(index, in: part)
    }
    return dots
  }

  /// Returns the outermost brackets that are not empty.
  private func brackets(_ part: Part) -> [Int] {
    var found: [Int] = []
    var index = part.first
    while index <= part.last {
      let isGroup = roles[index] == .open || roles[index] == .apply
      let next = next(index, in: part)
      if isGroup, next > index + 2 { found.append(index) }
      index = next
    }
    return found
  }

  /// Opens the last brackets of a part, if the text around them then fits. False if it does not.
  private mutating func openLastBrackets(_ part: Part) -> Bool {
    for open in brackets(part).suffix(4).reversed() {
      let close = Int(partners[open])
      guard fits(part.first, open, at: part.column),
        fits(close, part.last, at: part.base, tail: part.tail)
      else { continue }
      self.open(open, close, part)
      return true
    }
    return false
  }

  private mutating func open(_ open: Int, _ close: Int, _ part: Part) {
    var (open, close) = (open, close)
    while roles[open + 1] == .open, Int(partners[open + 1]) == close - 1, close - open > 3 {
      open += 1
      close -= 1
    }
    let inner = part.base + Layout.step
    let commas = commas(open, close)
    var element = Part(
      first: open + 1, last: close - 1, column: inner, base: inner,
      operators: commas.isEmpty ? inner : inner + Layout.step, tail: 1, depth: part.depth + 1)
    for comma in commas + [close] {
      element.last = comma - 1
      layOut(element)
      beginElement(element.first, indent: inner)
      if comma < close { indents[comma] = inner }
      element.first = comma + 1
    }
    begins[close] = true
    indents[close] = part.base
  }

  private mutating func beginElement(_ first: Int, indent: Int) {
    var piece = first
    while pieces[piece].isComment, trails(piece) { piece += 1 }
    begins[piece] = true
    indents[piece] = indent
  }

  private func commas(_ open: Int, _ close: Int) -> [Int] {
    var commas: [Int] = []
    var index = open + 1
    while index < close {
      if roles[index] == .comma { commas.append(index) }
      let partner = Int(partners[index])
      index = partner > index && partner < close ? partner + 1 : index + 1
    }
    return commas
  }

  /// Begins a line before each call; without calls, opens all brackets.
  private mutating func breakCalls(_ calls: [Int], _ part: Part) {
    if calls.isEmpty {
      for open in brackets(part) { self.open(open, Int(partners[open]), part) }
      return
    }
    var link = part
    link.depth += 1
    link.tail = 0
    for call in calls {
      link.last = call - 1
      layOut(link)
      begin(call, indent: part.operators)
      link.first = call
      link.column = part.operators
      link.base = part.operators
      link.operators = part.operators + Layout.step
    }
    link.last = part.last
    link.tail = part.tail
    layOut(link)
  }
}
