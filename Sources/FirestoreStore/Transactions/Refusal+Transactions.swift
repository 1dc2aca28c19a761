import RulesLang

// The words of the official emulator about transactions (Docs/Emulator.md, Transactions).

extension Refusal {
  /// The refusal of an ID that no transaction has had.
  static let unknownTransaction = invalidArgument("Invalid transaction.")

  /// The refusal of a transaction that is committed, rolled back or forgotten.
  static let closedTransaction = invalidArgument("Transaction is invalid or closed.")

  /// The refusal of a write in a transaction that only reads.
  static let readOnlyTransaction = invalidArgument(
    "Cannot modify entities in a read-only transaction.")

  /// The refusal of a write that has waited too long for a lock.
  static let lockTimeout = aborted("Transaction lock timeout.")

  /// The refusal of one transaction more than the server keeps.
  static let manyTransactions = failedPrecondition(
    "There are already \(Transactions.mostOpen) open transactions; commit or roll back some.")
}
