import RulesEncoding
import RulesEval
import RulesLang

// Stability of a condition, as claims about one request: the condition stays false for every client
// for whom it is false, whatever allowed request the client makes (one inductive step from an
// arbitrary state).
//
// A request can only make a condition true by changing a document that the condition reads. For
// each such document, the claim is: a write of it after which the condition is true is only allowed
// to clients for whom it was true before. Other writes of the commit are looked up like anything
// else (Docs/Proofs.md §3, assumption 6), except for documents that an earlier claim covers, which
// are taken as unchanged.
//
// If that is undecided and the condition is composed by `&&` and `||`, it suffices that no request
// makes any of the parts true.
//
// Sound: if all claims hold, no sequence of allowed requests of a client makes the condition true
// for this client, assuming that the client has created neither the requested document nor one
// above it meanwhile: the creator of a room has rights in it.

/// The step questions of a condition: one claim for each way to make it true.
struct StepQuestions {
  /// The questions.
  enum Outcome {
    /// Stored data does not matter, except for a part that is left out, if any. One request
    /// suffices.
    case stateless(without: SourceRange?)
    /// The condition is not supported, for this reason.
    case open(OpenReason)
    /// Claims of which each says that a write does not make the condition true: if all hold, no request
    /// does, except for a part that is left out, if any.
    case claims([Claim], without: SourceRange?)
  }

  private let claim: CompiledClaim
  private let condition: ExprID
  /// The environment of the condition; nil for the variables of the claim.
  private let frame: StateFrame?
  private let rules: Checked
  /// True to leave out parts that compare the later request with stored data.
  private let leavesOut: Bool
  /// The assumed invariants of documents.
  private(set) var kept: [KeptCondition] = []
  /// The accounts of the condition and of the writer.
  private var roles = StepRoles.sameAccount

  /// Prepares for a condition on the documents and clients of a claim.
  ///
  /// - Parameter leavingOut: True to leave out parts that compare the later request with stored data.
  init(
    _ claim: CompiledClaim, condition: ExprID, in rules: Checked, leavingOut: Bool = false
  ) {
    self.init(claim, condition: condition, frame: nil, in: rules, leavingOut: leavingOut)
  }

  private init(
    _ claim: CompiledClaim, condition: ExprID, frame: StateFrame?, in rules: Checked,
    leavingOut: Bool
  ) {
    self.claim = claim
    self.condition = condition
    self.frame = frame
    self.rules = rules
    leavesOut = leavingOut
  }

  /// The questions about the parts of the condition; empty if it has none.
  var parts: [StepQuestions] {
    var text = StateText(claim, in: rules, state: .before, home: .lookup, leavingOut: leavesOut)
    guard frame == nil, let parts = try? text.parts(of: condition), parts.count > 1
    else { return [] }
    return parts.map { part in
      var questions = StepQuestions(
        claim, condition: part.id, frame: part.frame, in: rules, leavingOut: leavesOut)
      questions.kept = kept
      questions.roles = roles.ofPart
      return questions
    }
  }

  /// Returns the questions about requests by another account of one person, which lacks these
  /// server-set claims.
  func byAnotherAccount(without claims: [Text]) -> StepQuestions {
    var questions = self
    questions.roles = .anotherAccount(fresh("account"), without: claims, isOfPart: false)
    return questions
  }

  /// The questions with the condition true of somebody else before the request.
  var besideSomebodyElse: StepQuestions {
    var questions = self
    questions.roles = .besides(fresh("other"))
    return questions
  }

  /// The questions about creation of the documents above.
  var byCreation: StepQuestions {
    var questions = self
    questions.roles = .creation
    return questions
  }

  /// The variable for the condition's account, if it is not the writer.
  var account: Text? {
    if case .anotherAccount(let name, _, _) = roles { return name }
    return nil
  }

  /// The variable for somebody for whom the condition is true before.
  var somebodyElse: Text? {
    if case .besides(let name) = roles { return name }
    return nil
  }

  private func fresh(_ name: String) -> Text {
    var name = Text(name)
    while claim.claim.path.variables.contains(name) { name = name + Text("_") }
    return name
  }

  /// Returns the questions under invariants of documents.
  func assuming(_ kept: [KeptCondition]) -> StepQuestions {
    var questions = self
    questions.kept = kept
    return questions
  }

  /// Returns the questions.
  func outcome() -> Outcome {
    do throws(StateObstacle) {
      let first = try sides(home: .lookup)
      return try outcome(of: first)
    } catch {
      // A path of any depth allows no lookups; its own document can still be written.
      if claim.claim.path.steps.contains(where: { $0.isGlob }),
        let own = try? sides(home: .own), let outcome = try? outcome(of: own)
      {
        return outcome
      }
      return .open(Self.openReason(error))
    }
  }

  /// The reason why answers prove nothing; nil if they do.
  var looseness: OpenReason? {
    let text = (try? sides(home: .lookup))?.text ?? (try? sides(home: .own))?.text
    let known = text?.loose.map {
      OpenReason("a path that is built as a string is not analysed across requests", at: $0)
    }
    return known ?? parts.lazy.compactMap { $0.looseness }.first
  }

  private static func openReason(_ obstacle: StateObstacle) -> OpenReason {
    switch obstacle {
    case .other(let openReason): openReason
    case .request(let range):
      OpenReason(
        "a condition on both stored data and the later request is not analysed across requests",
        at: range)
    }
  }

  /// A condition before and after a commit, as alternatives.
  private struct Sides {
    var before: [StateAlternative]
    var after: [StateAlternative]
    var text: StateText

    /// The pairs to be examined: the first alternative, if it does not depend on the later request,
    /// and its disjunction with each of the others. Alternatives without stored data are skipped.
    var pairs: [(before: String, after: String)] {
      var found: [(before: String, after: String)] = []
      var first: (before: String, after: String)?
      for (one, other) in zip(before, after) {
        guard let old = one.text, let new = other.text else {
          // A pure alternative without a condition is always true, so no commit makes it true.
          if one.isPure { return [] }
          continue
        }
        if let first {
          if one != other {
            found.append(("(\(first.before) || \(old))", "(\(first.after) || \(new))"))
          }
        } else {
          if one.isPure { first = (old, new) }
          if one != other { found.append((old, new)) }
        }
      }
      return found
    }
  }

  /// Returns the condition before a commit, and after one that leaves some documents unchanged.
  private func sides(
    home: StateText.Home, leaving unwritten: Set<LookedUpDocument?> = []
  ) throws(StateObstacle) -> Sides {
    try sides(home: home, leaving: unwritten, of: account)
  }

  private func sides(
    home: StateText.Home, leaving unwritten: Set<LookedUpDocument?>, of account: Text?
  ) throws(StateObstacle) -> Sides {
    var before = StateText(
      claim, in: rules, state: .before, home: home, leavingOut: leavesOut)
    var after = StateText(claim, in: rules, state: .after, home: home, leavingOut: leavesOut)
    after.unwritten = unwritten
    (before.account, after.account) = (account, account)
    let frame = frame ?? StateFrame(claim.claim.path.variables.map { .variable($0) })
    let (old, new) = (
      try before.alternatives(condition, in: frame), try after.alternatives(condition, in: frame)
    )
    guard old.count == new.count else {
      throw .other(OpenReason("the condition is not analysed across requests"))
    }
    return Sides(before: old, after: new, text: before)
  }

  private func outcome(of first: Sides) throws(StateObstacle) -> Outcome {
    let text = first.text
    let left = first.before.lazy.compactMap { $0.mixed }.first
    if text.documents.isEmpty, !text.isAboutOwn { return .stateless(without: left) }
    if let hiding = rules.functionHidingBuiltin {
      return .open(
        OpenReason(
          "a condition beside a function with the name of a built-in is not analysed across "
            + "requests", at: hiding))
    }
    let hasGlob = claim.claim.path.steps.contains { $0.isGlob }
    if hasGlob, text.isAboutOwn, !text.documents.isEmpty {
      return .open(OpenReason("a document of any depth is not analysed across requests"))
    }
    var claims: [Claim] = []
    if text.isAboutOwn, !isAboutCreation {
      let (pairs, text) = try pairs(home: .own)
      claims += pairs.map {
        question(at: claim.claim.path.steps, given: [], $0, of: text, methods: Self.changes)
      }
    }
    if !text.documents.isEmpty {
      // The claim's own document was covered above, if the condition reads it.
      var asked: Set<LookedUpDocument?> = [nil]
      for document in inOrder(text.documents) {
        let isAbove = isAbove(document)
        if isAboutCreation, !isAbove { continue }
        let (pairs, text) = try pairs(home: .lookup, leaving: asked)
        asked.insert(document)
        let (steps, given) = pattern(of: document)
        let methods = isAboutCreation ? MethodSet(.create) : isAbove ? Self.changes : .write
        claims += pairs.map { question(at: steps, given: given, $0, of: text, methods: methods) }
      }
    }
    return .claims(
      claims + text.documents.flatMap { references(in: $0) },
      without: left)
  }

  /// The documents that the condition reads and whose creation is not examined: the requested one and those
  /// above it.
  var createdPaths: [String] {
    guard let text = try? sides(home: .lookup).text else {
      // With a path of any depth, only the own document is read.
      return [claim.claim.path.text]
    }
    let above = text.documents.filter { isAbove($0) }.map { document in
      ClaimPath(Array(claim.claim.path.steps.prefix(document.steps.count))).text
    }
    return (text.isAboutOwn ? [claim.claim.path.text] : []) + above
  }

  private var isAboutCreation: Bool {
    if case .creation = roles { return true }
    return false
  }

  /// Returns the condition pairs, with assumptions about the accounts that take part.
  private func pairs(
    home: StateText.Home, leaving unwritten: Set<LookedUpDocument?> = []
  ) throws(StateObstacle) -> (pairs: [StepPair], text: StateText) {
    let sides = try sides(home: home, leaving: unwritten)
    var text = sides.text
    let found = sides.pairs.map { StepPair(before: $0.before, after: $0.after) }
    let name: Text?
    switch roles {
    case .sameAccount, .creation: return (found, text)
    case .anotherAccount(_, _, isOfPart: _): name = nil
    case .besides(let other): name = other
    }
    let others = try self.sides(home: home, leaving: unwritten, of: name)
    guard others.pairs.count == found.count else {
      throw .other(OpenReason("the condition is not analysed for two accounts"))
    }
    text.variables.formUnion(others.text.variables)
    var all: [StepPair] = []
    for (one, other) in zip(found, others.pairs) {
      var pair = one
      switch roles {
      case .sameAccount, .creation: break
      case .anotherAccount(let account, let claims, let isOfPart):
        text.variables.insert(account)
        // A condition that does not depend on the client is true for every account. A part may
        // still become true for the writer.
        if one.before == other.before, !isOfPart { continue }
        pair.given = [StepRoles.writer(isNot: account, without: claims)]
        if !isOfPart { pair.before = "(\(one.before) || \(other.before))" }
      case .besides(let account):
        text.variables.insert(account)
        pair.given = [other.before, StepRoles.writer(isNot: account, without: [])]
      }
      all.append(pair)
    }
    return (all, text)
  }

  /// Returns conditions that give the later request the strings that variables stand for.
  func laterConditions(_ values: [Text: Text]) -> [String] {
    guard let text = try? sides(home: .lookup).text else { return [] }
    return text.requestTexts.enumerated().compactMap { number, expression in
      guard let value = values[text.laterName(number)],
        expression.utf8.allSatisfy({ $0 != 0x5B && $0 != 0x28 })
      else { return nil }
      return "\(expression) == \(value.literal)"
    }
  }

  /// Writes of an existing document.
  private static let changes = MethodSet(.update).union(MethodSet(.delete))

  /// Returns the documents in order of examination. Those about the client come last: they rarely
  /// change, and a commit that writes one usually makes the condition true by its other writes.
  private func inOrder(_ documents: [LookedUpDocument]) -> [LookedUpDocument] {
    let above = documents.filter { isAbove($0) }
    let others = documents.filter { !isAbove($0) }
    return above + others.filter { !$0.steps.contains(.uid) }
      + others.filter { $0.steps.contains(.uid) }
  }

  /// True if a document is above the requested one.
  private func isAbove(_ document: LookedUpDocument) -> Bool {
    document.steps.count < claim.claim.path.steps.count
      && zip(document.steps, claim.claim.path.steps).allSatisfy { step, own in
        switch (step, own) {
        case (.literal(let text), .literal(let other)): text == other
        case (.variable(let name), .capture(let other)): name == other
        default: false
        }
      }
  }

  private func question(
    at steps: [ClaimPath.Step], given: [String], _ pair: StepPair, of text: StateText,
    methods: MethodSet
  ) -> Claim {
    var hypotheses = StateText(
      claim, in: rules, state: .before, home: .own, leavingOut: false)
    hypotheses.account = account
    var client: [String] = []
    if let given = claim.given {
      let condition = rules.ruleset[given].result.root
      // A claim that the user chooses may have had another value at the step.
      if TokenReading(condition, of: claim, rules).isOnlyOfServer {
        client = hypotheses.clientParts(of: condition)
      }
    }
    let assumed = assumptions(at: steps, of: text)
    let bound = Set(steps.compactMap { $0.name })
    let others = assumed.reduce(text.variables.union(hypotheses.variables)) {
      $0.union($1.variables)
    }.subtracting(bound)
    let path = ClaimPath(steps, others: others.sorted(by: Text.precedesByCodePoint))
    var question = Claim(
      name: claim.claim.name, path: path, methods: methods,
      obligation: .onlyIf(Claim.Condition(Text(pair.before))))
    question.given = Claim.Condition(
      Text(
        ([pair.after] + given + pair.given + client + assumed.map { $0.text })
          .joined(separator: " && ")))
    return question
  }

  /// Returns the invariants of the written document and of the requested one.
  private func assumptions(
    at steps: [ClaimPath.Step], of text: StateText
  ) -> [(text: String, variables: Set<Text>)] {
    kept.flatMap { one in
      let own = text.home == .own || !text.isAboutOwn
      return [one.text(at: steps, home: .own)].compactMap { $0 }
        + (own ? [] : [one.text(at: claim.claim.path.steps, home: .lookup)].compactMap { $0 })
    }
  }

  /// Returns the path pattern of a looked-up document, and conditions on its wildcards.
  private func pattern(of document: LookedUpDocument) -> ([ClaimPath.Step], given: [String]) {
    var steps: [ClaimPath.Step] = []
    var given: [String] = []
    var known: Set<Text> = []
    for (place, step) in document.steps.enumerated() {
      var fresh = Text("part\(place)")
      while claim.claim.path.variables.contains(fresh) { fresh = fresh + Text("_") }
      switch step {
      case .literal(let text): steps.append(.literal(text))
      case .variable(let name), .later(let name):
        if known.insert(name).inserted {
          steps.append(.capture(name))
        } else {
          steps.append(.capture(fresh))
          given.append("\(String(fresh)) == \(String(name))")
        }
      case .uid:
        steps.append(.capture(fresh))
        given.append("\(String(fresh)) == request.auth.uid")
      case .text, .value: steps.append(.capture(fresh))
      }
    }
    return (steps, given)
  }

  /// Returns the claims that nothing is written at paths with a reference in them. A computed segment of a
  /// looked-up path may be a reference, which puts all segments of its own path there.
  private func references(in document: LookedUpDocument) -> [Claim] {
    var claims: [Claim] = []
    for (place, step) in document.steps.enumerated() {
      switch step {
      case .literal, .variable, .uid, .text: continue
      case .value, .later: break
      }
      let (steps, _) = pattern(of: document)
      let root = rules.database.root.map { ClaimPath.Step.literal($0) }
      claims.append(
        Claim(
          name: claim.claim.name, path: ClaimPath(steps[..<place] + root + [.glob("reference")]),
          methods: .write, obligation: .never))
    }
    return claims
  }
}
