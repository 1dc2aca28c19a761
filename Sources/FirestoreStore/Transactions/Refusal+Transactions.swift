import RulesLang

// The official emulator's messages about transactions (Docs/Emulator.md, Transactions).

extension Refusal {
  /// The refusal of an ID that no transaction had.
  static let unknownTransaction = invalidArgument("Invalid transaction.")

  /// The refusal of a transaction that was committed, rolled back or idle for too long.
  static let closedTransaction = invalidArgument("Transaction is invalid or closed.")

  /// The refusal of a write in a read-only transaction.
  static let readOnlyTransaction = invalidArgument(
    "Cannot modify entities in a read-only transaction.")

  /// The refusal of a write that waited too long for a lock.
  static let lockTimeout = aborted("Transaction lock timeout.")

  /// The refusal of a transaction above the limit of open ones.
  static let manyTransactions = failedPrecondition(
    "There are already \(Transactions.mostOpen) open transactions; commit or roll back some.")
}
