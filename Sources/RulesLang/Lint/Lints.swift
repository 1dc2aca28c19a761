/// The table of lints.
public enum Lints {
  /// Every lint, those about access first.
  public static let all: [Lint] = [
    OpenWildcard.lint, TestMode.lint, OpenWrite.lint, OpenCreate.lint, OpenRead.lint,
    AnyUserWrite.lint, AnyUserRead.lint, UnauthenticatedWrite.lint, OwnerFromRequest.lint,
    RedundantAllow.lint, PowerlessDeny.lint, RepeatedMatch.lint, UnmatchedPath.lint,
    LiteralStar.lint, MisreadNegation.lint, MisreadIn.lint, AbsentResource.lint,
    SignedOutError.lint, UncheckedAuth.lint, ImpossibleComparison.lint, WholeDocumentKeys.lint,
    UnknownMember.lint, UnknownClaim.lint, UndocumentedMember.lint, LookupPath.lint,
    ShadowedBuiltin.lint, UnusedCapture.lint, UnusedIgnore.lint, DeadAllow.lint,
    CoveredAllow.lint, IdleCondition.lint, IdleGuard.lint, IdleParameter.lint, AbsorbedError.lint,
    OpenQuestion.lint,
  ]

  /// The lint with a code.
  public static func named(_ name: String) -> Lint? { all.first { $0.code.name == name } }
}
