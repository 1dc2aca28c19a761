import RulesLang

/// A version of the rules of a program that has the same blocks and statements, compiled behind it: what is
/// loaded into the program's machine is right for both.
final class Revision: Sendable {
  /// The program's code and that of the version, with what they refer to.
  let tables: ProgramTables
  /// The code of the conditions of the version, by `AllowID`; nil for what only the reference evaluates.
  let statements: [Program.Statement?]
  /// The statements of blocks.
  let candidates: [Dispatch.Candidate]
  /// Which method each name means for each type of receiver.
  let methods: [Builtin?]

  /// Compiles the statements of a version that are wanted; the others are left to the reference. Nil if the
  /// version mentions a name that the program's rules do not.
  ///
  /// The version has the program's blocks and statements, and looks documents up only where that does:
  /// `Checked.changed(by:)` makes such versions.
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
