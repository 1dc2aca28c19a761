import RulesLang

/// A version of a program's rules with the same blocks and statements, compiled behind the program: requests
/// that are loaded into the program's machine stay valid for it.
final class Revision: Sendable {
  /// The program's tables with those of the version behind them.
  let tables: ProgramTables
  /// The code of the version's conditions, by `AllowID`; nil for those that only the reference evaluates.
  let statements: [Program.Statement?]
  /// The statements of blocks.
  let candidates: [Dispatch.Candidate]
  /// The method of each name for each type of receiver.
  let methods: [Builtin?]

  /// Compiles the wanted statements of a version; the others are left to the reference. Nil if the version
  /// mentions a name that the program's rules do not.
  ///
  /// - Requires: The version has the program's blocks and statements, and looks documents up only if the
  ///   program does, as versions made by `Checked.changed(by:)`.
  init?(_ rules: Checked, of program: Program, where isWanted: (AllowID) -> Bool) {
    var symbols = Symbols(copying: program.symbols)
    let known = symbols.names.count
    var lowering = Lowering(rules, isMarked: false, behind: program.tables)
    var statements: [Program.Statement?] = []
    statements.reserveCapacity(rules.ruleset.allows.count)
    for (index, allow) in rules.ruleset.allows.enumerated() {
      statements.append(
        isWanted(AllowID(index)) ? lowering.statement(allow, symbols: &symbols) : nil)
    }
    guard symbols.names.count == known else { return nil }
    self.statements = statements
    tables = lowering.tables
    let old = program.tables.methodNames.count
    methods =
      tables.methodNames.count == old
      ? program.methods : program.methods + tables.methods(from: old)
    candidates = program.dispatch.allows.map { candidate in
      Dispatch.Candidate(allow: candidate.allow, methods: rules.methods[candidate.allow.index])
    }
  }
}
