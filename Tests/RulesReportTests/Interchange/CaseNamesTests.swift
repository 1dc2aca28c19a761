import Testing

@testable import RulesReport

/// Names of test cases in JUnit: no two of a suite are the same, and they are the same in every run.
@Suite struct CaseNamesTests {
  @Test func aNameThatWasThereGetsANumber() {
    var names = CaseNames()
    func distinguished(_ name: String) -> String {
      let (head, tail) = ("    <testcase classname=\"a\" name=\"", "\" time=\"0\"/>\n")
      let text = names.distinguishing(head + name + tail)
      return String(text.dropFirst(head.count).dropLast(tail.count))
    }
    let asked = ["a", "a, 2", "b", "a", "a", "a, 3", "&quot;", "&quot;", "é", "é", ""]
    let told = [
      "a", "a, 2", "b", "a, 3", "a, 4", "a, 3, 2", "&quot;", "&quot;, 2", "é", "é, 2", "",
    ]
    #expect(asked.map { distinguished($0) } == told)
    // What follows the name, as the story of a failure, is left alone.
    let (head, tail) = ("<testcase name=\"b", "\">\n<failure message=\" name=\"/>\n</testcase>\n")
    #expect(names.distinguishing(head + tail) == head + ", 2" + tail)
  }
}
