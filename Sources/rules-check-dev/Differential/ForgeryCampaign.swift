import RulesEval
import RulesLang
import RulesProof
import RulesVerify

// Valid, damaged and forged certificates, at random: lines are left out, doubled, exchanged and changed,
// steps of other proofs put in their place, the claim replaced by another one. A claim that is still
// confirmed must be one that the prover proves, or at least one without a counterexample: the two know
// different things.

/// A campaign of forged certificates against the checker.
struct ForgeryCampaign {
  private let seed: UInt64
  private var pool: [Original] = []
  private var verdicts: [String: String] = [:]
  /// The number of forgeries.
  private(set) var made = 0
  /// The number of forgeries that the checker confirmed.
  private(set) var confirmed = 0
  /// The number that it confirmed, but whose claims are about no request.
  private(set) var empty = 0
  /// The number that it confirmed and whose claims the prover cannot decide.
  private(set) var undecided = 0
  /// The certificates that it confirmed although their claims have counterexamples.
  private(set) var wrong: [String] = []

  /// A genuine certificate.
  private struct Original {
    var rules: SourceText
    /// The lines from `claim` to the obligation, and the lines of the steps.
    var header: [String]
    var steps: [String]
  }

  /// Creates `size` genuine certificates to begin with.
  init(seed: UInt64, size: Int = 40) {
    self.seed = seed
    var number: UInt64 = 0
    while pool.count < size, number < 50 * UInt64(size) {
      var dice = Dice(seed: seed, 7, number)
      if let original = Self.original(&dice) { pool.append(original) }
      number += 1
    }
  }

  /// Checks `wanted` forgeries.
  mutating func run(_ wanted: Int) {
    for number in 0..<wanted {
      var dice = Dice(seed: seed, 8, UInt64(number))
      forge(&dice)
    }
  }

  /// The results, on one line.
  var summary: String {
    "forgeries: \(made) made of \(pool.count) certificates, \(confirmed) confirmed, "
      + "\(empty) about no request, "
      + "\(wrong.count) of what is violated, \(undecided) of what is undecided"
  }

  // MARK: Certificates to begin with

  private static let conditions = [
    "request.auth != null", "request.auth.uid == id", "resource.data.owner == request.auth.uid",
    "request.resource.data.n is int && request.resource.data.n < 5", "resource.data.n > 2",
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a', 'b'])",
    "request.resource.data.n <= resource.data.n + 1", "-resource.data.size() < 0",
    "resource.data.keys().hasOnly(['a'].toSet())", "{'a': resource.data.zz, 'a': 2}.a == 2",
    "resource.data.get('role', 'none') in ['admin', 'editor']",
    "exists(/databases/$(database)/documents/m/$(request.auth.uid))", "true", "false",
    "resource.data.s.matches('[a-z]+')", "resource.data.s == 'x'", "resource == null",
  ]
  private static let methods = ["get", "list", "create", "update", "delete", "read", "write"]
  private static let paths = [
    "/c/{id}", "/d/{id}", "/c/x", "/{id}/{x}", "/c/{id}/d/{x}", "/{x=**}",
  ]

  private static func condition(_ dice: inout Dice) -> String {
    let one = dice.pick(conditions)
    switch dice.roll(4) {
    case 0: return "(\(one)) || (\(dice.pick(conditions)))"
    case 1: return "(\(one)) && (\(dice.pick(conditions)))"
    case 2: return "!(\(one))"
    default: return one
    }
  }

  private static func original(_ dice: inout Dice) -> Original? {
    let method = dice.pick(["get", "update", "read", "write", "create"])
    let (one, other) = (condition(&dice), condition(&dice))
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{database}/documents { match /c/{id} {
        allow \(method): if (\(one)) && (\(other));
        allow \(dice.pick(methods)): if \(one);
      } } }
      """
    let header = [
      "claim a claim", "path /c/{id}", "methods \(dice.pick(["get", "update", "create"]))",
    ]
    let claims = [
      "only-if \(one)", "only-if \(condition(&dice))", "only-if (\(one)) || (\(other))",
      "always-if \(one)", "never", "no-errors",
    ]
    let rules = SourceText(name: "forged.rules", text)
    let lines = header + [dice.pick(claims)]
    guard let checked = Checker.check(rules).checked,
      let claim = claim(of: bytes(lines, of: rules)),
      case .proved? = verdict(on: claim, in: checked)
    else { return nil }
    var certificate = Certificate()
    guard
      case .added = certificate.add(
        claim, about: checked, rulesPath: rules.name, profile: .emulator)
    else { return nil }
    let all = String(decoding: certificate.bytes, as: UTF8.self).split(separator: "\n")
      .map { String($0) }
    let first = all.firstIndex { $0.hasPrefix("question") } ?? all.count
    return Original(
      rules: rules, header: Array(all[4..<first]), steps: Array(all[first...].dropLast()))
  }

  private static func claim(of bytes: [UInt8]) -> Claim? {
    (try? Certificate.read(bytes))?.first?.claim
  }

  private static func verdict(on claim: Claim, in rules: Checked) -> Verdict? {
    (try? ClaimSet([claim], about: rules)).map {
      Prover($0).decide(0, shrinking: false, checking: false)
    }
  }

  /// Returns a certificate with these lines after those that identify the rules.
  private static func bytes(_ lines: [String], of rules: SourceText) -> [UInt8] {
    let head = [
      "rules-check certificate 2", "rules \(rules.name)", "sha256 " + Certificate.hash(rules),
      "profile emulator",
    ]
    let text = Array(((head + lines).joined(separator: "\n") + "\n").utf8)
    let hash = SHA256.hash(text).map { octet in
      (octet < 16 ? "0" : "") + String(octet, radix: 16)
    }
    return text + Array("end \(hash.joined())\n".utf8)
  }

  // MARK: Forgeries

  /// True if the steps confirm the claim as a verdict is checked: those of one query after the other.
  private static func isChecked(_ claim: Claim, in rules: Checked, by steps: [String]) -> Bool {
    var left = steps[...]
    let confirmed = try? ProofChecker.confirm(
      claim, about: rules, profile: rules.profile
    ) { _, _ in
      guard let first = left.popFirst() else { return nil }
      let rest = left.prefix { $0 != "question" && !$0.hasPrefix("question ") }
      left = left.dropFirst(rest.count)
      return [first] + rest
    }
    return confirmed != nil && left.isEmpty
  }

  private mutating func forge(_ dice: inout Dice) {
    let original = dice.pick(pool)
    var (header, steps) = (original.header, original.steps)
    let rules = dice.chance(80) ? original.rules : dice.pick(pool).rules
    if dice.chance(60) { change(header: &header, &dice) }
    if dice.chance(60) || header == original.header {
      for _ in 0...dice.roll(3) { change(steps: &steps, &dice) }
    }
    made += 1
    let bytes = Self.bytes(header + steps, of: rules)
    guard let entry = (try? Certificate.read(bytes))?.first,
      let checked = Checker.check(rules, profile: entry.profile).checked
    else { return }
    let isConfirmed = (try? ProofChecker.check(entry, about: checked)) != nil
    if Self.isChecked(entry.claim, in: checked, by: steps) != isConfirmed {
      wrong.append("checked otherwise:\n" + String(decoding: bytes, as: UTF8.self))
    }
    guard isConfirmed else { return }
    let key = Certificate.hash(rules) + header.joined(separator: "\n")
    let word = verdicts[key] ?? Self.verdict(on: entry.claim, in: checked)?.word ?? "refused"
    verdicts[key] = word
    // `verify-proof` refuses vacuous claims.
    if word == "vacuous" { return empty += 1 }
    confirmed += 1
    if word == "undecided" { undecided += 1 }
    if word != "undecided", word != "proved" {
      wrong.append(String(decoding: bytes, as: UTF8.self))
    }
  }

  private func change(header: inout [String], _ dice: inout Dice) {
    let condition = Self.condition(&dice)
    switch dice.roll(7) {
    case 0: header[1] = "path " + dice.pick(Self.paths)
    case 1: header[2] = "methods " + dice.pick(Self.methods)
    case 2: header[2] += " " + dice.pick(Self.methods)
    case 3: header.insert("given " + condition, at: 3)
    case 4: header.insert("writes " + dice.pick(["a", "b.c", "n"]), at: 3)
    case 5: header[header.count - 1] = dice.pick(["only-if ", "always-if "]) + condition
    default: header[header.count - 1] = dice.pick(["never", "no-errors"])
    }
  }

  private func change(steps: inout [String], _ dice: inout Dice) {
    guard !steps.isEmpty else { return }
    let place = dice.roll(steps.count)
    switch dice.roll(8) {
    case 0: steps.remove(at: place)
    case 1: steps.insert(steps[place], at: dice.roll(steps.count))
    case 2: steps.swapAt(place, dice.roll(steps.count))
    case 3:
      let questions = steps.filter { $0.hasPrefix("question") }
      steps = questions.flatMap { [$0, "learn"] }
    case 4: steps.insert(dice.pick(dice.pick(pool).steps), at: place)
    case 5: steps = Array(steps[..<place]) + dice.pick(pool).steps.dropFirst(place)
    default:
      var words = steps[place].split(separator: " ").map { String($0) }
      let word = dice.roll(words.count)
      words[word] = dice.pick(
        ["\(dice.roll(12))", "-\(dice.roll(12))", "-" + words[word], "same", "type", "0", "learn"])
      steps[place] = words.joined(separator: " ")
    }
  }
}
