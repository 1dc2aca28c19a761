import RulesEval
import RulesLang

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesTesting

/// Makes rules whose blocks have `{x=**}` in any place, claims about paths of any length, and requests
/// for paths of all lengths: what a condition says hangs on how long a path is more often than not.
struct PathMaker {
  var dice: Dice
  /// The patterns of the blocks, and the paths that conditions name, below the database root.
  private(set) var patterns: [[Step]] = []
  private(set) var named: [[Text]] = []
  private var captures = 0

  /// One part of a pattern.
  enum Step: Hashable {
    case literal(Text), any(String), run(String)

    var text: String {
      switch self {
      case .literal(let text): "/" + String(text)
      case .any(let name): "/{\(name)}"
      case .run(let name): "/{\(name)=**}"
      }
    }
  }

  private static let names: [Text] = ["a", "b", "c"]
  private static let root = "/databases/%28default%29/documents"

  init(dice: Dice) { self.dice = dice }

  /// The segments of the longest pattern or path.
  var longest: Int { (patterns.map { $0.count } + named.map { $0.count }).max() ?? 0 }

  // MARK: Rules

  /// Rules; each statement on a line of its own, without its condition and with it.
  mutating func rules() -> [String] {
    var lines = ["rules_version = '2';", "service cloud.firestore {"]
    lines += ["function has(r) { return r.__name__; }", "function id(r) { return r; }"]
    let isRooted = dice.chance(70)
    if isRooted { lines.append("match /databases/{database}/documents {") }
    for _ in 0..<dice.roll(1...3) { lines += block(isRooted) }
    return lines + [isRooted ? "} }" : "}"]
  }

  private mutating func block(_ isRooted: Bool) -> [String] {
    captures = 0
    var pattern = ends(0...3)
    if !isRooted, dice.chance(50) {
      // A run that takes the root, too.
      pattern = [.run(name("x"))] + pattern.filter { if case .run = $0 { false } else { true } }
      patterns.append(pattern)
    } else {
      patterns.append(pattern)
      if !isRooted {
        pattern =
          [.literal("databases"), .any("database"), .literal("documents")] + pattern
      }
    }
    // The pattern may be spread over two blocks.
    let cut = dice.chance(25) && pattern.count > 1 ? dice.roll(1...pattern.count - 1) : nil
    func text(_ steps: ArraySlice<Step>) -> String { steps.map { $0.text }.joined() }
    var lines = ["match " + text(pattern[..<(cut ?? pattern.count)]) + " {"]
    if let cut { lines.append("match " + text(pattern[cut...]) + " {") }
    for _ in 0..<dice.roll(1...2) {
      let all = "read read get list write create update delete".split(separator: " ")
      let methods = dice.pick(all)
      lines.append("allow \(methods): if \(condition(pattern));")
    }
    return lines + [cut == nil ? "}" : "} }"]
  }

  private mutating func name(_ kind: String) -> String {
    captures += 1
    return kind + String(captures)
  }

  /// Some steps, mostly a run, and some more.
  private mutating func ends(_ sizes: ClosedRange<Int>) -> [Step] {
    var steps: [Step] = []
    for _ in 0..<dice.roll(sizes) { steps.append(step()) }
    if dice.chance(75) {
      steps.append(.run(name("x")))
      for _ in 0..<dice.roll(sizes) { steps.append(step()) }
    } else if steps.isEmpty || steps.count % 2 == 1 {
      steps.append(step())
    }
    if steps.count == 1, case .literal = steps[0] { steps.append(.any(name("w"))) }
    return steps
  }

  private mutating func step() -> Step {
    dice.chance(60) ? .literal(dice.pick(Self.names)) : .any(name("w"))
  }

  // MARK: Conditions

  /// A condition that may use the captures of a pattern.
  mutating func condition(_ pattern: [Step]) -> String {
    switch dice.roll(10) {
    case 0: return "\(simple(pattern)) && \(simple(pattern))"
    case 1: return "\(simple(pattern)) || \(simple(pattern))"
    case 2: return "!(\(simple(pattern)))"
    default: return simple(pattern)
    }
  }

  private mutating func simple(_ pattern: [Step]) -> String {
    let letter = "'" + String(dice.pick(Self.names)) + "'"
    let place = dice.roll(12)
    var own: [String] = []
    for step in pattern {
      switch step {
      case .literal: break
      case .any(let name): own.append("\(name) == \(letter)")
      case .run(let name):
        own += [
          "\(name)[\(place)] == \(letter)", "\(name) == \(path())", "string(\(name)).size() > 9",
          "get(\(Self.root)/$(\(name))) == null",
        ]
      }
    }
    if !own.isEmpty, dice.chance(20) { return dice.pick(own) }
    let resource = dice.pick(["resource", "request.resource"])
    return dice.pick([
      "true", "true", "false", "request.auth != null", "request.auth != null",
      "request.auth.uid == \(letter)", "resource == null", "\(resource).data.v == 1",
      "resource.id == \(letter)", "exists(\(document()))", "get(\(document())) == null",
      "get(\(document())).data.v == 1", "getAfter(\(document())) == null",
      "getAfter(\(document())).data.v == 1", "existsAfter(\(document()))",
      "resource == get(\(document()))", "resource in [get(\(document()))]",
      "getAfter(\(document())) == request.resource", "request.path[\(place)] == \(letter)",
      "request['pa' + 'th'][\(place)] == \(letter)", "id(request).path == \(Self.root)\(path())",
      "has(\(resource))[\(place)] == \(letter)", "id(resource) == id(get(\(document())))",
      "request.query.parent[\(place)] == \(letter)", "request.query.ancestor == null",
      "request.query.get('parent', null) != null", "request.query.limit < 5",
      "get(\(document())).__name__ == resource['__name__']",
      "string(request.path).size() > \(30 + 2 * place)",
    ])
  }

  private mutating func path() -> String {
    (0..<dice.roll(1...8)).map { _ in "/" + String(dice.pick(Self.names)) }.joined()
  }

  /// The path of a document, most of them deep.
  private mutating func document() -> String {
    let segments = (0..<(2 * dice.roll(1...5))).map { _ in dice.pick(Self.names) }
    named.append(segments)
    var text = segments.map { "/" + String($0) }
    // Documents of one ID lie at many paths.
    if dice.chance(15) { text[text.count - 1] = "/$(resource.id)" }
    // Some are put together.
    guard text.count > 2, dice.chance(20) else { return Self.root + text.joined() }
    return "/$(" + Self.root + text[..<2].joined() + ")" + text[2...].joined()
  }

  // MARK: Claims

  /// A claim about documents at any depth; nil if it does not say anything.
  mutating func claim() -> (claim: Claim, pattern: [Step])? {
    captures = 100
    var pattern = ends(0...2)
    if !pattern.contains(where: { if case .run = $0 { true } else { false } }) {
      pattern = [pattern[0], .run("x9")]
    }
    let text = pattern.map { $0.text }.joined()
    var members = [JSON.Member("path", value: JSON(.string(Text(text))))]
    let method = dice.pick(["get", "list", "create", "update", "delete", "read"])
    members.append(JSON.Member("methods", value: JSON(.string(Text(method)))))
    let condition = JSON(.string(Text(self.condition(pattern))))
    if dice.chance(15) {
      members.append(JSON.Member("given", value: JSON(.string(Text(simple(pattern))))))
    }
    switch dice.roll(8) {
    case 0...2: members.append(JSON.Member("never", value: JSON(.bool(true))))
    case 3: members.append(JSON.Member("errors", value: JSON(.bool(false))))
    case 4, 5: members.append(JSON.Member("alwaysIf", value: condition))
    default: members.append(JSON.Member("onlyIf", value: condition))
    }
    let suite = JSON(
      .object([JSON.Member("claims", value: JSON(.array([JSON(.object(members))])))]))
    let claim = SuiteReader.read(suite, in: SourceText(name: "claim", "")).0?.claims.first
    return claim.map { ($0, pattern) }
  }

  // MARK: Requests

  /// A request for a path that a pattern and some blocks are for, or that is named, at most so long.
  mutating func candidate(_ method: RulesLang.Method, _ pattern: [Step]?, _ greatest: Int)
    -> CandidateRequest?
  {
    guard let segments = segments(pattern, greatest) else { return nil }
    var access = Scenario.Access.document
    if method == .list {
      let below = 2 * dice.roll(segments.count / 2)
      access = dice.pick([.query, .namedQuery, .group(below: below)])
    }
    let principal = dice.chance(60) ? Principal(uid: dice.pick(Self.names)) : nil
    var candidate = CandidateRequest(
      method: method, access: access, path: DocumentPath(segments), principal: principal,
      time: .epoch)
    let data = MapValue([("v", .int(dice.chance(50) ? 1 : 2))])
    switch method {
    case .get, .delete: candidate.before = dice.chance(60) ? data : nil
    case .list: candidate.before = data
    case .create: candidate.after = dice.chance(50) ? data : MapValue()
    case .update:
      candidate.before = data
      candidate.after = dice.chance(50) ? MapValue([("v", .int(1))]) : MapValue()
    }
    for path in named where path != segments && dice.chance(40) {
      if candidate.others.contains(where: { $0.path.segments == path }) { continue }
      candidate.others.append(
        CandidateRequest.Other(path: DocumentPath(path), before: data, after: data))
    }
    return candidate
  }

  private mutating func segments(_ pattern: [Step]?, _ greatest: Int) -> [Text]? {
    if dice.chance(25), !named.isEmpty {
      let path = dice.pick(named)
      return pattern.map { Self.fits(path, $0) } ?? true ? path : nil
    }
    let length = 2 * dice.roll(1...greatest / 2)
    var segments = [Text?](repeating: nil, count: length)
    if let pattern, !Self.fill(&segments, pattern) { return nil }
    for block in dice.shuffled(patterns) where dice.chance(80) { _ = Self.fill(&segments, block) }
    return segments.map { $0 ?? dice.pick(Self.names + ["d"]) }
  }

  private static func fits(_ path: [Text], _ pattern: [Step]) -> Bool {
    var segments = path.map { Text?.some($0) }
    return fill(&segments, pattern)
  }

  /// Writes the texts of a pattern where nothing stands yet; false if it is for no such path.
  private static func fill(_ segments: inout [Text?], _ pattern: [Step]) -> Bool {
    let run = pattern.firstIndex { if case .run = $0 { true } else { false } }
    guard run == nil ? segments.count == pattern.count : segments.count >= pattern.count - 1 else {
      return false
    }
    var filled = segments
    for (place, step) in pattern.enumerated() {
      guard case .literal(let text) = step else { continue }
      let isBehind = run.map { place > $0 } ?? false
      let index = isBehind ? segments.count - (pattern.count - place) : place
      if let known = filled[index], known != text { return false }
      filled[index] = text
    }
    segments = filled
    return true
  }
}
