/// A condition that is compiled together with a rules file as if it were part of it, for example a claim
/// about the rules. It can call the functions that are visible in its scope.
public struct AddedCondition: Sendable {
  /// The condition's name in messages.
  public var name: Text
  /// The condition's variables, besides `request` and `resource`.
  public var parameters: [Text]
  /// The scope in which the condition is compiled.
  public var owner: ScopeOwner
  /// The expression.
  public var text: Text

  /// Creates a condition.
  public init(name: Text, parameters: [Text], owner: ScopeOwner, text: Text) {
    self.name = name
    self.parameters = parameters
    self.owner = owner
    self.text = text
  }
}

extension Checker {
  /// Rules with conditions added.
  public struct Extension: Sendable {
    /// The rules with a function for each condition; nil if a condition does not compile.
    public var checked: Checked?
    /// The function of each condition, in order.
    public var functions: [FunctionID]
    /// The diagnostics of each condition, with ranges in its own text.
    public var diagnostics: [[Diagnostic]]
  }

  /// Compiles conditions together with rules that compile, in the profile of the rules.
  ///
  /// The conditions' texts are appended to that of the rules, so source ranges in the rules stay valid. The
  /// rules' own type warnings are left out: callers have them already.
  public static func extend(
    _ rules: Checked, with conditions: [AddedCondition]
  ) -> Extension {
    let (source, sections) = join(rules.ruleset.source, with: conditions)
    var ruleset = rules.ruleset
    ruleset.source = source
    let functions = conditions.indices.map { FunctionID(ruleset.functions.count + $0) }
    let parsed = Parser.parse(
      zip(conditions, sections).map { condition, section in
        Parser.Section(
          range: section, name: Name(condition.name, at: section),
          parameters: condition.parameters.map { Name($0, at: section) }, owner: condition.owner)
      },
      of: ruleset)
    let outcome = check(parsed, for: rules.profile, of: rules.database, extending: rules)
    var diagnostics: [[Diagnostic]] = Array(repeating: [], count: sections.count)
    for diagnostic in outcome.diagnostics {
      // The sections follow each other and do not overlap.
      guard let start = diagnostic.range?.start,
        let place = sections.lastIndex(startingBefore: start),
        diagnostic.isInside(sections[place])
      else { continue }
      diagnostics[place].append(diagnostic.moved(to: sections[place].start))
    }
    return Extension(checked: outcome.checked, functions: functions, diagnostics: diagnostics)
  }

  private static func join(
    _ source: SourceText, with conditions: [AddedCondition]
  ) -> (SourceText, [SourceRange]) {
    var bytes = source.bytes
    var sections: [SourceRange] = []
    for condition in conditions {
      bytes.append(UInt8(ascii: "\n"))
      sections.append(
        SourceRange(start: bytes.count, end: bytes.count + condition.text.bytes.count))
      bytes += condition.text.bytes
    }
    return (SourceText(name: source.name, bytes: bytes), sections)
  }
}

extension [SourceRange] {
  /// Returns the index of the last range, in ascending order, that begins at an offset or before it.
  fileprivate func lastIndex(startingBefore offset: UInt32) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}

extension Diagnostic {
  fileprivate func isInside(_ section: SourceRange) -> Bool {
    guard let range, code != .unusedFunction, code != .unusedVariable else { return false }
    return range.start >= section.start && range.end <= section.end
  }

  /// Returns the diagnostic with ranges counted from an offset.
  fileprivate func moved(to start: UInt32) -> Diagnostic {
    func move(_ range: SourceRange) -> SourceRange {
      SourceRange(
        start: range.start < start ? 0 : range.start - start, end: range.end - min(start, range.end)
      )
    }
    var copy = self
    copy.range = range.map { move($0) }
    copy.fix = fix.map { Fix(replacing: move($0.range), with: $0.text) }
    copy.related = related.map {
      Label(range: move($0.range), text: $0.text, isPictured: $0.isPictured)
    }
    return copy
  }
}
