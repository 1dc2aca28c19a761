public import RulesLang

// Who tries hundreds of small changes to rules asks all versions about the same requests. These lie in the
// machine of the rules, and so the machine decides by a version for a while: nothing has to be loaded again.

/// A version of rules that a rehearsal can decide by.
public final class RehearsedVersion: Sendable {
  /// The engine that defines what is right.
  public let engine: Engine
  let revision: Revision

  init(_ engine: Engine, _ revision: Revision) {
    self.engine = engine
    self.revision = revision
  }
}

extension Rehearsal {
  /// Compiles the statements of a version of the rules (`Checked.changed(by:)`) that are wanted; the others
  /// are left to an engine. Nil if the version mentions a name that the rules do not.
  public func version(
    _ engine: Engine, where isWanted: (AllowID) -> Bool
  ) -> RehearsedVersion? {
    Revision(engine.rules, of: machine.program, where: isWanted).map {
      RehearsedVersion(engine, $0)
    }
  }

  /// Has a version decide while some work is done. Of requests and variants that lie here only this asks, by
  /// `ruling(on:for:variedBy:)`; what is loaded meanwhile is dropped.
  public func deciding<Answer>(by version: RehearsedVersion, _ work: () -> Answer) -> Answer {
    let mark = machine.take(version.revision, of: version.engine)
    defer { machine.restore(to: mark) }
    return work()
  }

  /// What is said to a request, or to a variant of it that stayed here or differs by `difference`; nil if
  /// only an engine can tell.
  public func ruling(
    on target: RehearsedRequest, for variant: Variant?, variedBy difference: RequestDifference?
  ) -> Ruling? {
    machine.ruling(on: target, for: variant, by: difference, names)
  }
}
