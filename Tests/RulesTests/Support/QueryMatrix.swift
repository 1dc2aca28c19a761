import RulesLang

@testable import RulesEval
@testable import RulesTesting

/// The recorded queries: each condition under each query, and what the emulator decided.
struct QueryMatrix {
  /// One condition under one query.
  struct Cell {
    var condition: Text
    var query: Text
    var request: Request
    /// Whether the emulator allowed it.
    var isAllowed: Bool
  }

  /// What is stored.
  let documents: Documents
  /// The conditions, each with its cells.
  private(set) var rows: [(rules: String, cells: [Cell])] = []

  init() throws {
    let matrix = try ConformanceData.json("list-matrix.json")
    documents = try ConformanceRequest.documents(matrix["documents"] ?? JSON(.null))
    guard case .object(let conditions) = matrix["cells"]?.kind,
      case .object(let queries) = matrix["queries"]?.kind
    else { return }
    let order = matrix["order"]?.elements ?? []
    for row in conditions {
      var cells: [Cell] = []
      for (place, decision) in (row.value.string ?? "").enumerated() {
        guard let name = order[place].text,
          let query = queries.first(where: { $0.key == name })?.value
        else { continue }
        let operation = Request.Operation.list(
          try ConformanceRequest().query(query, parent: DocumentPath([])))
        cells.append(
          Cell(
            condition: row.key, query: name,
            request: Request(
              principal: Principal(uid: "u1"), time: ConformanceRequest.time,
              operation: operation),
            isAllowed: decision == "A"))
      }
      rows.append((RulesetCase.rules(allowing: "list", if: String(row.key)), cells))
    }
  }
}
