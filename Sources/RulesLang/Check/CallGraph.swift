/// Detects recursion and too deep calls on the call graph of the functions.
///
/// Both are errors even in functions that are never called (Docs/Language.md §5, §11).
struct CallGraph {
  private let ruleset: Ruleset
  private let calls: [[FunctionID]]
  private let maximumDepth: Int
  private(set) var diagnostics: [Diagnostic] = []

  private enum State { case unseen, open, done }
  private var state: [State]
  /// For each function, the length of the longest chain of calls from it.
  private var height: [Int]
  private var stack: [FunctionID] = []
  private var steps = 0

  init(_ ruleset: Ruleset, calls: [[FunctionID]], maximumDepth: Int) {
    self.ruleset = ruleset
    self.calls = calls
    self.maximumDepth = maximumDepth
    state = Array(repeating: .unseen, count: calls.count)
    height = Array(repeating: 1, count: calls.count)
  }

  /// Checks every function, each once. O(calls).
  mutating func run() {
    for index in calls.indices where state[index] == .unseen { visit(FunctionID(index)) }
    guard diagnostics.isEmpty else { return }
    guard height.contains(where: { $0 > maximumDepth }) else { return }
    var isCalled = Array(repeating: false, count: calls.count)
    for callee in calls.joined() { isCalled[callee.index] = true }
    for index in calls.indices where height[index] > maximumDepth && !isCalled[index] {
      walk(from: FunctionID(index))
    }
  }

  /// Maximum steps along call chains; the remaining ones are not reported.
  private static var maximumSteps: Int { 10_000 }

  /// Follows every call chain from a function and reports each one that gets too deep. A message lists the
  /// functions seen last, as in Google's compiler, not those of the chain.
  private mutating func walk(from root: FunctionID) {
    var seen: [FunctionID] = [root]
    var way: [(function: FunctionID, position: Int)] = [(root, 0)]
    while let (here, position) = way.last, steps < Self.maximumSteps {
      steps += 1
      guard position < calls[here.index].count else {
        way.removeLast()
        continue
      }
      way[way.count - 1].position += 1
      let callee = calls[here.index][position]
      if way.count == maximumDepth {
        diagnostics.append(
          .callTooDeep(
            seen.suffix(maximumDepth).map { ruleset[$0].name }, at: ruleset[callee].name,
            limit: 20))
      } else {
        seen.append(callee)
        way.append((callee, 0))
      }
    }
  }

  /// Visits the functions depth-first with an explicit stack: a file may hold any number of functions.
  private mutating func visit(_ root: FunctionID) {
    var positions: [Int] = []
    open(root, pushingOnto: &positions)
    while let here = stack.last {
      let position = positions[positions.count - 1]
      guard position < calls[here.index].count else {
        close(here)
        positions.removeLast()
        continue
      }
      positions[positions.count - 1] += 1
      let callee = calls[here.index][position]
      switch state[callee.index] {
      case .unseen: open(callee, pushingOnto: &positions)
      case .open: reportCycle(to: callee)
      case .done: break
      }
    }
  }

  private mutating func open(_ id: FunctionID, pushingOnto positions: inout [Int]) {
    state[id.index] = .open
    stack.append(id)
    positions.append(0)
  }

  private mutating func close(_ id: FunctionID) {
    stack.removeLast()
    state[id.index] = .done
    for callee in calls[id.index] where state[callee.index] == .done && callee != id {
      height[id.index] = max(height[id.index], height[callee.index] + 1)
    }
  }

  private mutating func reportCycle(to callee: FunctionID) {
    guard let start = stack.firstIndex(of: callee) else { return }
    let cycle = stack[start...].map { ruleset[$0].name }
    diagnostics.append(cycle.count == 1 ? .recursion(cycle[0]) : .callCycle(cycle))
  }
}
