public import RulesLang

// Whether a limit makes a difference shows a request that costs about as much as a limit allows. What a
// request costs that a limit stops, a decision does not say; here it is decided as if there were none.

/// The cost of a request if no limits are enforced.
public struct Price: Sendable {
  /// True if the request is allowed without limits.
  public var isAllowed: Bool
  /// The expressions that are evaluated for the request's document.
  public var expressions: Int
  /// The lookups that are counted for it.
  public var lookups: Int
  /// Maximum lookups for one document.
  public var allowedLookups: Int

  /// True if the cost exceeds a limit.
  public var isTooMuch: Bool { expressions > Limits.expressions || lookups > allowedLookups }
}

/// Computes what requests cost, in expressions and lookups. Not thread-safe.
public final class CostMeter {
  @exclusivity(unchecked) private var machine: Machine

  /// Compiles the wanted statements; a request that needs another one has no price.
  public init(_ engine: Engine, where isWanted: (AllowID) -> Bool) {
    machine = Machine(Program(engine.rules, where: isWanted), profile: engine.profile)
  }

  /// Computes the cost of a request for the document at a path; nil if the machine cannot decide it.
  public func price(of prepared: PreparedRequest, about path: DocumentPath) -> Price? {
    machine.price(of: prepared.plan, about: path)
  }
}

extension Machine {
  /// A starting value of the budget counter far below the limit, so that the limit is never reached.
  private static let unpaid = Limits.expressions - 1_000_000

  fileprivate mutating func price(of plan: Plan, about path: DocumentPath) -> Price? {
    services = .of(engine.profile)
    lookups = plan.lookups
    var price = Price(
      isAllowed: true, expressions: 0, lookups: 0, allowedLookups: lookups.limitForOne)
    (lookups.limitForOne, lookups.limitInAll) = (.max, .max)
    for access in plan.accesses where price.isAllowed {
      lookups.begin(access)
      clear()
      let blocks = begin(load(access, unpacking: false))
      spent = Self.unpaid
      guard let isGranted = isGranted(access.method, in: blocks) else { return nil }
      price.isAllowed = isGranted
      if access.document == path || plan.accesses.count == 1 {
        (price.expressions, price.lookups) = (spent - Self.unpaid, lookups.countForOne)
      }
    }
    return price
  }

  private mutating func isGranted(_ method: Method, in blocks: Range<Int>) -> Bool? {
    var nobody = NoObserver()
    for place in blocks {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.contains(method) else { continue }
        guard let cell = evaluate(statement.allow, watchedBy: &nobody) else { return nil }
        if cell.isBool(true) { return true }
      }
    }
    return false
  }
}
