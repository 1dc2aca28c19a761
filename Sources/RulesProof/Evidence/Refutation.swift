import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

// Construction of certificates. The checker's own query, which shares nothing with the prover's, is
// translated for the search; the proof trace is translated back and written step by step. Nothing
// here need be trusted: the checker refuses any step that does not follow.

/// The refutation of one query of the checker.
struct Refutation {
  /// The kind of request.
  private let kind: RequestKind
  private let question: Question
  /// The evaluations added as axioms during the search.
  private var rules: [ValueRule] = []
  private var steps: [ProofStep] = []
  private var translation: Translation

  /// Refutes a query; nil if the search finds a model or gives up.
  ///
  /// - Parameter translated: The translation of the query, if it is known.
  init?(
    of question: Question, translated: Translation? = nil, kind: RequestKind, within budget: Budget
  ) {
    self.kind = kind
    self.question = question
    translation = translated ?? Translation(question)
    if question.axioms.contains(.no) {
      steps = [.learned([])]
      return
    }
    for _ in 0..<Strategy.refinements {
      let roots = translation.roots
      if roots.contains(.no) {
        steps = [.learned([])]
        return
      }
      let problem = translation.problem
      let goals = Set(question.goals.map { translation.ref(of: $0) })
      var search = Search(
        problem.graph, terms: problem.terms, patterns: problem.patterns, first: Array(goals),
        axioms: roots.filter { !goals.contains($0) }, budget: SearchBudget(question: budget))
      switch search.run(roots) {
      case .unsatisfiable:
        steps = search.proof
        return
      case .givenUp: return nil
      case .satisfiable:
        let more = translation.computable(in: search.theory).filter { !rules.contains($0) }
        if more.isEmpty { return nil }
        for rule in more { translation.state(rule) }
        rules += more
      }
    }
    return nil
  }

  /// Returns the proof steps as lines, each after the terms and propositions that it mentions first.
  /// Nil if the trace contains a proposition that the query does not have, or the budget is spent.
  func lines(within budget: Budget) -> [String]? {
    var writer = StepWriter(translation.question)
    for rule in rules { writer.write(rule) }
    var charged = 0
    for step in steps {
      budget.charge(writer.effort - charged)
      charged = writer.effort
      if budget.isSpent { return nil }
      switch step {
      case .theory(let clause):
        guard let clause = translation.props(of: clause) else { return nil }
        writer.justify(clause)
      case .learned(let clause):
        guard let clause = translation.props(of: clause) else { return nil }
        writer.learn(clause)
      }
    }
    return ["question " + kind.line] + writer.lines
  }
}

/// The translation of a checker's query for the search, by term and by node.
struct Translation {
  /// The query, with later additions.
  private(set) var question: Question
  /// The translated problem.
  private(set) var problem = Problem()
  private var terms: [TermID] = []
  private var refs: [Ref] = []
  private var nodes: [Int32: Prop] = [:]
  private var functors: [Functor: Int] = [:]
  private var added: [Ref] = []

  /// Translates a query, or the beginning of one.
  init(_ question: Question, upTo prefix: QueryPrefix? = nil) {
    self.question = question
    extend(
      terms: prefix?.terms ?? question.forms.count, nodes: prefix?.nodes ?? question.facts.count)
  }

  /// Returns the translation of a query that begins with the translated one.
  func continued(to question: Question) -> Translation {
    var whole = self
    whole.question = question
    whole.extend()
    return whole
  }

  /// The assertions.
  var roots: [Ref] { question.axioms.map { ref(of: $0) } + added }

  /// Returns the literal of the search.
  func ref(of prop: Prop) -> Ref {
    let ref = refs[prop.node]
    return prop.isDenied ? !ref : ref
  }

  /// Returns the literals of the query; nil if one has no counterpart.
  func props(of clause: [Ref]) -> [Prop]? {
    var props: [Prop] = []
    for ref in clause {
      guard let prop = nodes[ref.node] else { return nil }
      props.append(ref.isNegated ? !prop : prop)
    }
    return props
  }

  /// Translates additions to the query.
  private mutating func extend() {
    extend(terms: question.forms.count, nodes: question.facts.count)
  }

  private mutating func extend(terms termCount: Int, nodes nodeCount: Int) {
    while terms.count < termCount { terms.append(next(Term(terms.count))) }
    while refs.count < nodeCount {
      let node = refs.count
      let ref: Ref
      if let fact = question.facts[node] {
        ref = problem.graph.atom(atom(of: fact))
      } else {
        ref = problem.graph.and(question.parts[node].map { self.ref(of: $0) })
      }
      refs.append(ref)
      if nodes[ref.node] == nil {
        nodes[ref.node] = ref.isNegated ? !Prop(node: node) : Prop(node: node)
      }
    }
  }

  private mutating func next(_ term: Term) -> TermID {
    switch question[term] {
    case .constant: return problem.constant(question.value(of: term) ?? .null)
    case .unknown:
      return problem.terms.variable(.unknown(term.index), types: question.types(of: term))
    case .apply(let functor, let arguments):
      return problem.terms.apply(
        op(of: functor), to: arguments.map { terms[$0.index] }, types: question.types(of: term))
    }
  }

  private mutating func op(of functor: Functor) -> Operator {
    switch functor {
    case .field: return .field
    case .element: return .element
    case .size: return .size
    case .plus(let scale, let steps): return .plus(scale.domain, steps)
    default:
      let number = functors[functor] ?? functors.count
      functors[functor] = number
      return .foreign(number)
    }
  }

  private mutating func atom(of fact: Fact) -> Atom {
    func id(_ term: Term) -> TermID { terms[term.index] }
    switch fact {
    case .same(let one, let other): return .same(min(id(one), id(other)), max(id(one), id(other)))
    case .type(let term, let type): return .type(id(term), type)
    case .most(let term, let scale, let number): return .atMost(id(term), scale.domain, number)
    case .float(let term, let bound):
      return .floatAtMost(id(term), FloatBound(value: bound.value, isStrict: bound.isStrict))
    case .difference(let one, let other, let scale, let number):
      return .difference(id(one), id(other), scale.domain, number)
    case .matches(let term, let source):
      // Invalid patterns do not occur in a query.
      return problem.patterns.add(source).map { .matches(id(term), $0) } ?? .type(id(term), .string)
    }
  }

  // MARK: What can be computed

  /// Returns evaluations of all applications whose arguments must be constants in the model.
  func computable(in theory: Theory) -> [ValueRule] {
    var found: [ValueRule] = []
    let values = knownValues(in: theory)
    for (index, form) in question.forms.enumerated() {
      guard case .apply(let functor, let arguments) = form else { continue }
      let constants = arguments.compactMap { values[terms[$0.index]] }
      guard constants.count == arguments.count,
        functor.value(of: constants.compactMap { question.value(of: $0) }) != nil
      else { continue }
      found.append(.compute(Term(index), constants))
    }
    return found
  }

  /// Returns for terms of the search the constants of the query that they must be.
  private func knownValues(in theory: Theory) -> [TermID: Term] {
    var constants: [TermID: Term] = [:]
    for index in terms.indices where question.value(of: Term(index)) != nil {
      constants[terms[index]] = Term(index)
    }
    var values: [TermID: Term] = [:]
    for id in terms {
      values[id] = constants[id] ?? theory.constant(of: id).flatMap { constants[$0] }
    }
    return values
  }

  /// Adds the clauses of a rule to the problem.
  mutating func state(_ rule: ValueRule) {
    for clause in rule.clauses(in: &question) ?? [] {
      extend()
      added.append(problem.graph.or(clause.map { ref(of: $0) }))
    }
  }
}

extension Scale {
  fileprivate var domain: Domain {
    switch self {
    case .int: .int
    case .timestamp: .timestamp
    case .duration: .duration
    }
  }
}
