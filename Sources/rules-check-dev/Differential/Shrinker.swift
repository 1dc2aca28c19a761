import RulesEval
import RulesHost
import RulesLang

/// Minimises a trial on which the sides differ.
struct Shrinker {
  private let referee: Referee
  private let kind: AnswerDifference.Kind
  /// The number of smaller trials that may still be judged.
  private var patience = 600

  /// Minimises trials with a kind of difference.
  init(_ referee: Referee, kind: AnswerDifference.Kind) {
    self.referee = referee
    self.kind = kind
  }

  /// Returns the smallest trial found with the same kind of difference, judged.
  mutating func shrink(
    _ judgement: Referee.Judgement
  ) throws(EmulatorClient.Problem) -> Referee.Judgement {
    guard var best = try differing(judgement.trial) else { return judgement }
    var narrow = best.trial
    narrow.rules = RulesShrinker(narrow.rules)?.only(lines: best.ours.lines) ?? narrow.rules
    if let next = try differing(narrow) { best = next }
    var isSmaller = true
    while isSmaller, patience > 0 {
      isSmaller = false
      for step in [Self.rules, Self.requests, Self.documents] {
        while let next = try first(of: step(best.trial)) {
          best = next
          isSmaller = true
        }
      }
    }
    return best
  }

  private mutating func first(
    of candidates: [Trial]
  ) throws(EmulatorClient.Problem) -> Referee.Judgement? {
    for candidate in candidates {
      if patience == 0 { return nil }
      if let judgement = try differing(candidate) { return judgement }
    }
    return nil
  }

  private mutating func differing(
    _ trial: Trial
  ) throws(EmulatorClient.Problem) -> Referee.Judgement? {
    patience -= 1
    guard let judgement = try referee.judge(trial),
      judgement.differences.contains(where: { $0.kind == kind })
    else { return nil }
    return judgement
  }

  // MARK: Steps

  private static func rules(_ trial: Trial) -> [Trial] {
    let lines = trial.rules.split(separator: "\n").filter { line in line.contains { $0 != " " } }
    let dense = lines.joined(separator: "\n")
    let smaller = RulesShrinker(trial.rules)?.candidates ?? []
    return ((dense == trial.rules ? [] : [dense]) + smaller).map { rules in
      var copy = trial
      copy.rules = rules
      return copy
    }
  }

  private static func requests(_ trial: Trial) -> [Trial] {
    JSONShrinker.candidates(trial.request).map { request in
      var copy = trial
      copy.request = request
      return copy
    }
  }

  private static func documents(_ trial: Trial) -> [Trial] {
    var found: [Trial] = []
    for index in trial.documents.indices {
      var copy = trial
      copy.documents.remove(at: index)
      found.append(copy)
    }
    for index in trial.documents.indices {
      for smaller in JSONShrinker.candidates(trial.documents[index].data) {
        guard case .object = smaller else { continue }
        var copy = trial
        copy.documents[index].data = smaller
        found.append(copy)
      }
    }
    return found
  }
}
