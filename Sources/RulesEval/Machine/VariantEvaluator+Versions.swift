public import RulesLang

// Versions of the rules under the requests of a variant evaluator. The requests are loaded once into the
// machine of the original rules, which then decides by a version for a while.

/// A version of the rules that a variant evaluator can switch to.
public final class VariantVersion: Sendable {
  /// The engine whose decisions the version reproduces.
  public let engine: Engine
  let revision: Revision

  init(_ engine: Engine, _ revision: Revision) {
    self.engine = engine
    self.revision = revision
  }
}

extension VariantEvaluator {
  /// Compiles the wanted statements of a version of the rules (`Checked.changed(by:)`); requests that need
  /// the others are left to an engine. Nil if the version mentions a name that the rules do not.
  public func version(
    _ engine: Engine, where isWanted: (AllowID) -> Bool
  ) -> VariantVersion? {
    Revision(engine.rules, of: machine.program, where: isWanted).map {
      VariantVersion(engine, $0)
    }
  }

  /// Decides by a version during `work`, and drops everything that is loaded meanwhile. Inside, requests and
  /// variants loaded before are decided by `ruling(on:for:variedBy:)` alone.
  public func deciding<Answer>(by version: VariantVersion, _ work: () -> Answer) -> Answer {
    let mark = machine.take(version.revision, of: version.engine)
    defer { machine.restore(to: mark) }
    return work()
  }

  /// Decides a loaded request, its loaded `variant`, or the variant that differs by `difference`; nil if only
  /// an engine can decide it.
  public func ruling(
    on target: VariantRequest, for variant: Variant?, variedBy difference: RequestDifference?
  ) -> VariantDecision? {
    machine.ruling(on: target, for: variant, by: difference, names)
  }
}
