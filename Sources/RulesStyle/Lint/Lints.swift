import RulesLang

/// The table of lints.
public enum Lints {
  /// Every lint, those about access first.
  public static let all: [Lint] = [
    OpenWildcard.lint, TestMode.lint, OpenWrite.lint, OpenCreate.lint, OpenRead.lint,
    AnyUserWrite.lint, AnyUserRead.lint, UnauthenticatedWrite.lint, OwnerFromRequest.lint,
    UnpinnedOwner.lint, UpdateBypass.lint, CreateBypass.lint, LooseCreate.lint, ChangedKeys.lint,
    UnverifiedEmail.lint, ZeroSegments.lint,
    OverridingWildcard.lint, ConstantFunction.lint, UnboundedValue.lint, UntypedField.lint,
    MisspeltField.lint,
    RedundantAllow.lint, PowerlessDeny.lint, RepeatedMatch.lint, UnmatchedPath.lint,
    ForeignDatabase.lint, DefaultDatabase.lint,
    LiteralStar.lint, MisreadNegation.lint, MisreadIn.lint, AbsentResource.lint,
    SignedOutError.lint, UncheckedAuth.lint, ImpossibleComparison.lint, ImpossibleCondition.lint,
    ImpossibleOperation.lint, ContradictoryTypes.lint, LengthMember.lint,
    WholeDocumentKeys.lint,
    UnknownMember.lint, UnknownClaim.lint, UndocumentedMember.lint, UndocumentedFunction.lint,
    LookupPath.lint,
    ShadowedBuiltin.lint, ShadowedCapture.lint, UnusedCapture.lint, UnusedIgnore.lint,
    DeadAllow.lint,
    CoveredAllow.lint, RedundantCondition.lint, RedundantGuard.lint, RedundantParameter.lint,
    AbsorbedError.lint, SelfGrantedRole.lint, SelfMadeMembership.lint, SelfMadeOwner.lint,
    OpenQuestion.lint,
  ]

  /// Former names of codes. They are still understood in settings and comments, with a note.
  public static let formerNames: [(old: String, now: String)] = [
    ("idle-condition", "redundant-condition"), ("idle-guard", "redundant-guard"),
    ("idle-parameter", "redundant-parameter"),
  ]

  /// Returns the present name of a code, for its present or a former name.
  public static func presentName(_ name: String) -> String {
    formerNames.first { $0.old == name }?.now ?? name
  }

  /// Returns the lint with a code, by its present or a former name.
  public static func named(_ name: String) -> Lint? {
    let present = presentName(name)
    return all.first { $0.code.name == present }
  }
}
