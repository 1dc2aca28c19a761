import RulesLang

extension Program {
  /// A listing of the program, one instruction a line, for tests: registers are `r0`, `r1`, …, constants are
  /// written out, `+n` is what an instruction charges for the branch that it enters, and `->` is its jump
  /// target.
  var disassembly: String {
    var text = ""
    for (place, allow) in rules.ruleset.allows.enumerated() {
      let line = rules.ruleset.source.line(of: allow.keyword.start)
      guard allow.condition != nil else {
        text += "line \(line): always\n"
        continue
      }
      guard let statement = statements[place] else {
        text += "line \(line): by the reference\n"
        continue
      }
      text += "line \(line): +\(statement.cost)\(statement.hasLookups ? ", looks up" : "")\n"
      var index = statement.start
      repeat {
        text +=
          "  \(index - statement.start)  \(describe(tables.code[index], relativeTo: statement.start))\n"
        index += 1
      } while tables.code[index - 1].operation != .end
    }
    return text
  }

  private func describe(_ step: Instruction, relativeTo start: Int) -> String {
    let a = register(step.a)
    let b = register(step.b)
    let target = register(step.target)
    let goal = "-> \(Int(step.immediate) - start)"
    let symbol = step.immediate
    switch step.operation {
    case .end: return "end \(a)"
    case .move: return "\(target) = \(a)"
    case .charge: return "charge +\(step.b)"
    case .jump: return "jump \(goal)"
    case .andFirst, .andNext: return "\(target) = and \(a) \(goal) +\(step.b)"
    case .orFirst, .orNext: return "\(target) = or \(a) \(goal) +\(step.b)"
    case .andLast: return "\(target) = and \(a)"
    case .orLast: return "\(target) = or \(a)"
    case .branch: return "\(target) = branch \(a) \(goal) +\(step.b)"
    case .request: return "\(target) = request"
    case .resource: return "\(target) = resource"
    case .capture: return "\(target) = capture \(step.immediate)"
    case .member: return "\(target) = \(a).\(String(symbols.name(Symbol(raw: symbol))))"
    case .has: return "\(target) = \(a) in \(b)"
    case .fetch:
      return "\(target) = \(a).get(\(String(symbols.name(Symbol(raw: symbol)))), \(b))"
    case .index: return "\(target) = \(a)[\(b)]"
    case .slice: return "\(target) = slice \(list(of: step, count: 3))"
    case .isType: return "\(target) = \(a) is \(TypeSet(rawValue: symbol).types.map { $0.word })"
    case .matches: return "\(target) = \(a) matches pattern \(symbol)"
    case .list: return "\(target) = list \(list(of: step, count: Int(step.a)))"
    case .map: return "\(target) = map \(list(of: step, count: Int(step.a)))"
    case .path: return "\(target) = path \(step.b) \(list(of: step, count: Int(step.a)))"
    case .call: return "\(target) = call \(builtin(step.b)) \(list(of: step, count: Int(step.a)))"
    case .lookup:
      return "\(target) = \(builtin(step.b)) \(a)\(step.immediate == 1 ? " once more" : "")"
    case .observe: return "observe \(a) of \(source(symbol)) in \(step.b)"
    case .enter: return "enter \(step.a) from \(source(symbol)) in \(step.b)"
    case .method:
      return
        "\(target) = \(String(tables.methodNames[Int(step.b)])) \(list(of: step, count: Int(step.a)))"
    case .changesOnly:
      return "\(target) = changes-only (\(a), \(b), \(register(UInt16(symbol))))"
    case .not, .negate, .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .add,
      .subtract, .multiply, .divide, .remainder, .isIn:
      return "\(target) = \(step.operation.word) \(a)\(step.operation.isUnary ? "" : " \(b)")"
    }
  }

  private func source(_ expression: UInt32) -> String {
    "`\(rules.ruleset.source.string(rules.ruleset[ExprID(Int(expression))].range))`"
  }

  private func builtin(_ number: UInt16) -> String {
    Builtin(rawValue: UInt8(truncatingIfNeeded: number)).map { Builtins.entry($0).fullName } ?? ""
  }

  private func list(of step: Instruction, count: Int) -> String {
    let first = Int(step.immediate)
    return "("
      + tables.operands.table[first..<(first + count)].map { register($0) }.joined(separator: ", ")
      + ")"
  }

  private func register(_ number: UInt16) -> String {
    let place = Int(number) - Lowering.firstConstant
    guard place >= 0, place < tables.constants.values.count else { return "r\(number)" }
    return tables.constants.values[place].map { ValueText.short($0) } ?? "error"
  }
}

extension Instruction.Operation {
  /// The name of an operation on one or two registers.
  fileprivate var word: String {
    switch self {
    case .not: "not"
    case .negate: "negate"
    case .equal: "equal"
    case .notEqual: "different"
    case .less: "less"
    case .lessEqual: "less-or-equal"
    case .greater: "greater"
    case .greaterEqual: "greater-or-equal"
    case .add: "add"
    case .subtract: "subtract"
    case .multiply: "multiply"
    case .divide: "divide"
    case .remainder: "remainder"
    case .isIn: "in"
    case .end, .move, .charge, .jump, .andFirst, .andNext, .andLast, .orFirst, .orNext, .orLast,
      .branch, .request, .resource, .capture, .member, .index, .slice, .has, .isType, .list, .map,
      .path, .call, .method, .changesOnly, .fetch, .matches, .lookup, .observe, .enter:
      ""
    }
  }

  fileprivate var isUnary: Bool { self == .not || self == .negate }
}
