import RulesEncoding
import RulesLang
import RulesStyle

// A question may be undecided for many reasons, and many questions for one. So undecided questions
// are reported once for each statement; the individual places are related places, for programs.

/// Diagnostics about undecided redundancy questions.
struct OpenQuestions {
  /// One diagnostic for each statement or function with reasons, and one for the reasons without a
  /// place.
  private(set) var all: [Diagnostic] = []
  private let rules: Checked

  /// The part of the rules that contains a reason.
  private enum Owner: Hashable {
    case statement(AllowID)
    case function(FunctionID)
    case nowhere
  }

  /// Groups the reasons of undecided questions.
  ///
  /// - Parameter questions: The reasons of each question.
  init(_ questions: [[OpenReason]], in rules: Checked) {
    self.rules = rules
    var owners: [Owner] = []
    var groups: [Owner: (count: Int, openReasons: [OpenReason])] = [:]
    for openReasons in questions {
      var told: Set<Owner> = []
      for openReason in openReasons {
        let owner = owner(of: openReason)
        if groups[owner] == nil { owners.append(owner) }
        var group = groups[owner] ?? (0, [])
        if told.insert(owner).inserted { group.count += 1 }
        if !group.openReasons.contains(openReason) { group.openReasons.append(openReason) }
        groups[owner] = group
      }
    }
    for owner in owners {
      if let group = groups[owner] { all.append(diagnostic(owner, group.count, group.openReasons)) }
    }
  }

  private func owner(of openReason: OpenReason) -> Owner {
    guard let range = openReason.range else { return .nowhere }
    func holds(_ other: SourceRange) -> Bool {
      other.start <= range.start && range.end <= other.end
    }
    let ruleset = rules.ruleset
    if let allow = ruleset.allows.firstIndex(where: { holds($0.range) }) {
      return .statement(AllowID(allow))
    }
    let function = ruleset.functions.firstIndex { function in
      function.bodies.contains { holds(ruleset[$0.root].range) }
    }
    return function.map { .function(FunctionID($0)) } ?? .nowhere
  }

  private func diagnostic(_ owner: Owner, _ count: Int, _ openReasons: [OpenReason]) -> Diagnostic {
    let sorted = openReasons.sorted { ($0.range?.start ?? 0) < ($1.range?.start ?? 0) }
    var place = ""
    switch owner {
    case .statement(let allow):
      place = " of line \(rules.ruleset.source.line(of: rules.ruleset[allow].keyword.start))"
    case .function(let function): place = " of `\(String(rules.ruleset[function].name.text))`"
    case .nowhere: break
    }
    let first = sorted.first?.range
    var diagnostic = Diagnostic(
      OpenQuestion.lint.code, severity: .info,
      message: "\(count.of("redundancy check"))\(place) \(count == 1 ? "is" : "are") undecided: "
        + Self.joined(sorted.map { $0.reason }.distinct), at: first)
    for openReason in sorted {
      guard let range = openReason.range, range != first else { continue }
      diagnostic = diagnostic.relating(range, as: openReason.reason, isPictured: false)
    }
    return diagnostic
  }

  /// Joins reasons, combining those that end in "is not analysed".
  private static func joined(_ reasons: [String]) -> String {
    let ending = " is not analysed"
    let names = reasons.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    let rest = reasons.filter { !$0.hasSuffix(ending) }
    guard names.count > 1, let last = names.last else { return reasons.joined(separator: "; ") }
    let list = names.dropLast().joined(separator: ", ") + " and " + last + " are not analysed"
    return ([list] + rest).joined(separator: "; ")
  }
}
