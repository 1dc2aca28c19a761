import FirestoreTransport
import FirestoreWire
import RulesHost
import RulesLang

/// A comparison of both emulators on a world, up to the first unexplained difference.
struct CallComparison {
  /// A difference.
  struct Difference {
    /// The index of the step.
    var place: Int
    /// The kind of call with its outcomes on both sides: differences of one kind are reported once.
    var kind: String
    /// The official emulator's answer.
    var official: CallAnswer
    /// Our answer.
    var ours: CallAnswer
    /// The requests up to the difference, as text.
    var requests: [String]
  }

  /// Access to the official emulator: a way to set rules, and connections.
  struct Official {
    /// Returns a client of a project.
    var client: (String) -> EmulatorClient
    /// Opens a connection.
    var link: () throws(EmulatorClient.Problem) -> EmulatorLink
  }

  /// The outcomes of compared steps, by kind of call.
  private(set) var outcomes: [String: Int] = [:]
  /// The number of steps by kind.
  private(set) var kinds: [String: Int] = [:]
  /// The accepted differences.
  private(set) var allowed: [CallAllowance: Int] = [:]
  /// The first difference that is not accepted.
  private(set) var difference: Difference?

  /// Plays a world to both emulators.
  ///
  /// - Parameter quiet: Milliseconds without a message after which the official emulator is assumed to have
  ///   sent everything to its listeners.
  init(
    _ world: CallWorld, with official: Official, project: String, quiet: Int
  ) throws(EmulatorClient.Problem) {
    let compilation = try official.client(project).setRules(world.rules)
    guard compilation.isAccepted else {
      throw EmulatorClient.Problem(
        message: "the rules of world \(world.seed) do not compile: \(compilation.message)")
    }
    let theirs = CallSide(try official.link(), project: project)
    let ours = CallSide(ServerLink(rules: world.rules), project: project)
    var requests: [String] = []
    for (place, step) in world.steps.enumerated() {
      requests.append(Self.text(of: step, theirs.memory))
      let own = try ours.take(step, awaited: [:], quiet: 1)
      let answer = try theirs.take(step, awaited: own.heard.mapValues(\.count), quiet: quiet)
      kinds[step.kind, default: 0] += 1
      outcomes[answer.outcome, default: 0] += 1
      guard answer.lines != own.lines else { continue }
      if let allowance = CallAllowance.explaining(answer, own, of: step) {
        allowed[allowance, default: 0] += 1
        if allowance == .permanentCode {
          theirs.abandon(step)
          ours.abandon(step)
        }
        continue
      }
      let kind = Self.kind(of: step, answer, own)
      difference = Difference(
        place: place, kind: kind, official: answer, ours: own, requests: requests)
      return
    }
  }

  /// Returns the name of a kind of difference: the outcomes, and if they are the same the first line of each
  /// that differs, without names and numbers.
  private static func kind(of step: CallStep, _ official: CallAnswer, _ ours: CallAnswer) -> String
  {
    let (their, own) = (official.lines, ours.lines)
    func shape(_ lines: [String], _ others: [String]) -> String {
      let line = lines.enumerated().first {
        !others.indices.contains($0.offset) || others[$0.offset] != $0.element
      }
      return String((line?.element ?? "nothing").filter { !$0.isNumber }.prefix(60)).replacing(
        "\n", with: " ")
    }
    let outcomes = "\(step.kind): official \(official.outcome), ours \(ours.outcome)"
    guard official.outcome == ours.outcome else { return outcomes }
    return "\(outcomes): \(shape(their, own)) / \(shape(own, their))"
  }

  private static func text(of step: CallStep, _ memory: CallMemory) -> String {
    let request: String
    switch step.action {
    case .unary, .message:
      let bytes = step.candidate(memory).json(project: memory.project, layout: .compact)
      request = String(decoding: bytes, as: UTF8.self)
    case .end: request = ""
    }
    return "\(step.user.rawValue) \(step.kind) \(request)"
      .replacing(String(memory.root), with: "~")
  }
}
