import RulesEval
import RulesLang
import Testing

/// Queries that Firestore refuses before it asks the rules, and near ones that it does not; what the
/// official emulator answered to each is in the argument.
@Suite struct QueryRefusalTests {
  private static let many = (0..<31).map { "\($0)" }.joined(separator: ",")

  @Test(arguments: [
    (#"[["x","!=",1],["y","!=",1]]"#, "more than one"),
    (#"[["x","!=",null],["y","not-in",[1]]]"#, "more than one"),
    (#"[["x","not-in",[1]],["y","in",[1]]]"#, "not-in together"),
    (#"[{"or":[["x","not-in",[1]]]}]"#, "not-in together"),
    (#"[["x","array-contains",1],["y","array-contains-any",[1]]]"#, "array-contains"),
    (
      #"[{"or":[["x","array-contains",1],["y","array-contains",1]]},["x","array-contains",1]]"#,
      "array-contains"
    ),
    (#"[["x","in",[1,2,3,4,5,6]],["y","in",[1,2,3,4,5,6]]]"#, "disjunctions"),
    (#"[["x","in",[\#(many)]]]"#, "more than 30 values"),
    (#"[["x","not-in",[1,2,3,4,5,6,7,8,9,10,11]]]"#, "more than 10 values"),
    (#"[["x","in",[]]]"#, "without values"),
    (#"[["__name__","==","a/b/c"]]"#, "not a document"),
    (#"[["__name__","==",1]]"#, "not a document"),
    (#"[["__name__","array-contains","a"]]"#, "array-contains on __name__"),
    (#"[{"or":[]}]"#, "without parts"),
  ])
  func theQueryIsRefused(_ conditions: String, _ reason: String) throws {
    let unsupported = try #require(try unsupported(conditions), "\(conditions) is taken")
    #expect(unsupported.contains(reason), "\(unsupported)")
  }

  @Test(arguments: [
    #"[["x","array-contains",1],["x","array-contains",1]]"#,
    #"[{"or":[["x","array-contains",1],["y","array-contains",1]]}]"#,
    #"[["x","not-in",[1]],["t","array-contains",1]]"#, #"[["x","!=",1],["y",">",1]]"#,
    #"[{"and":[]}]"#, #"[["__name__","!=","a"]]"#, #"[["x","not-in",[null]]]"#,
  ])
  func theQueryIsTaken(_ conditions: String) throws {
    #expect(try unsupported(conditions) == nil)
  }

  /// Why the suite's reader does not take a query on a collection.
  private func unsupported(_ conditions: String) throws -> String? {
    let text = #"""
      {"rules": "x", "tests": [{"list": "/c", "query": {"where": \#(conditions)},
      "expect": "allow"}]}
      """#
    let (suite, _) = SuiteReader.read(SourceText(name: "x.suite.json", text))
    let test = try #require(suite?.tests.first)
    return test.unsupported
  }
}
