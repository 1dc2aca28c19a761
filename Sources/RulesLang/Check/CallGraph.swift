/// Recursion and call depth, found on the graph of which function calls which.
///
/// Both are refused even in functions that nobody calls (Docs/Language.md §5, §11).
struct CallGraph {
  private let ruleset: Ruleset
  private let calls: [[FunctionID]]
  private let maximumDepth: Int
  private(set) var diagnostics: [Diagnostic] = []

  private enum State { case unseen, open, done }
  private var state: [State]
  /// The longest chain of functions that begins here, and its second function.
  private var height: [Int]
  private var next: [FunctionID?]
  private var stack: [FunctionID] = []

  init(_ ruleset: Ruleset, calls: [[FunctionID]], maximumDepth: Int) {
    self.ruleset = ruleset
    self.calls = calls
    self.maximumDepth = maximumDepth
    state = Array(repeating: .unseen, count: calls.count)
    height = Array(repeating: 1, count: calls.count)
    next = Array(repeating: nil, count: calls.count)
  }

  /// Looks at every function; each once, so O(calls).
  mutating func run() {
    for index in calls.indices where state[index] == .unseen { visit(FunctionID(index)) }
    guard diagnostics.isEmpty else { return }
    for index in calls.indices where height[index] > maximumDepth {
      let chain = chain(from: FunctionID(index))
      diagnostics.append(
        .callTooDeep(
          Array(chain.prefix(maximumDepth)).map { ruleset[$0].name },
          at: ruleset[chain[maximumDepth]].name, limit: 20))
      return
    }
  }

  /// Depth-first with a stack of its own: a file may hold any number of functions.
  private mutating func visit(_ root: FunctionID) {
    var positions: [Int] = []
    open(root, &positions)
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
      case .unseen: open(callee, &positions)
      case .open: reportCycle(to: callee)
      case .done: break
      }
    }
  }

  private mutating func open(_ id: FunctionID, _ positions: inout [Int]) {
    state[id.index] = .open
    stack.append(id)
    positions.append(0)
  }

  private mutating func close(_ id: FunctionID) {
    stack.removeLast()
    state[id.index] = .done
    for callee in calls[id.index] where state[callee.index] == .done && callee != id {
      if height[callee.index] + 1 > height[id.index] {
        height[id.index] = height[callee.index] + 1
        next[id.index] = callee
      }
    }
  }

  private mutating func reportCycle(to callee: FunctionID) {
    guard let start = stack.firstIndex(of: callee) else { return }
    let cycle = stack[start...].map { ruleset[$0].name }
    diagnostics.append(cycle.count == 1 ? .recursion(cycle[0]) : .callCycle(cycle))
  }

  private func chain(from id: FunctionID) -> [FunctionID] {
    var chain = [id]
    while let following = next[chain[chain.count - 1].index] { chain.append(following) }
    return chain
  }
}
