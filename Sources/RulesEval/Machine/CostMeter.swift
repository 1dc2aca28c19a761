public import RulesLang

// Whether a limit makes a difference shows a request that costs about as much as a limit allows. What a
// request costs that a limit stops, a decision does not say; here it is decided as if there were none.

/// What a request costs where there are no limits.
public struct Price: Sendable {
  /// Whether it is allowed then.
  public var isAllowed: Bool
  /// The expressions that are evaluated for the document that the request is about.
  public var expressions: Int
  /// The lookups that are paid for it.
  public var lookups: Int
  /// So many lookups are allowed for one document.
  public var allowedLookups: Int

  /// Whether it is more than the limits allow.
  public var isTooMuch: Bool { expressions > Limits.expressions || lookups > allowedLookups }
}

/// Says what requests cost; for one thread.
public final class CostMeter {
  @exclusivity(unchecked) private var machine: Machine

  /// Compiles the statements of rules that are wanted; the others cost more time.
  public init(_ engine: Engine, where isWanted: (AllowID) -> Bool) {
    machine = Machine(Program(engine.rules, where: isWanted), profile: engine.profile)
  }

  /// What a request costs, the document at a path being the one that it is about; nil if that takes more than
  /// the machine.
  public func price(of prepared: PreparedRequest, about path: DocumentPath) -> Price? {
    machine.price(of: prepared.plan, about: path)
  }
}

extension Machine {
  /// Far below the limit.
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
