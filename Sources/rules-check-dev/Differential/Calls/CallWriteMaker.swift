import FirestoreWire
import RulesEval
import RulesLang

/// Generates writes: sets, merges, deletes, transforms, preconditions of every kind.
struct CallWriteMaker {
  /// The generator of documents and values.
  var values: CallValueMaker

  /// Creates the source of a sequence.
  init(_ dice: Dice) { values = CallValueMaker(dice: dice) }

  /// The precondition of a write.
  enum Expectation: Sendable {
    case nothing, present, missing
    /// The version that was last read.
    case version
    /// A version of 2020.
    case oldVersion

    /// Returns the precondition; nil if there is none.
    func precondition(_ name: Text, _ memory: CallMemory) -> WireMessage? {
      let old = Timestamp(epochSeconds: 1_577_836_800)
      switch self {
      case .nothing: return nil
      case .present: return WireMessage(.precondition) { $0[.preconditionExists] = true }
      case .missing: return WireMessage(.precondition) { $0[.preconditionExists] = false }
      case .version:
        guard let time = memory.versions[name] else { return nil }
        return WireMessage(.precondition) { $0[.preconditionUpdateTime] = time }
      case .oldVersion: return WireMessage(.precondition) { $0[.preconditionUpdateTime] = old }
      }
    }
  }

  /// Returns an expectation.
  mutating func expectation() -> Expectation {
    values.dice.pick([
      .nothing, .nothing, .nothing, .present, .present, .missing, .version, .oldVersion,
    ])
  }

  /// Returns a document to store.
  mutating func document() -> CallStep.CandidateRequest {
    let (path, fields) = (values.path(), values.fields())
    return { memory in
      WireMessage(.document) {
        $0[.documentName] = memory.name(path)
        $0[.documentFields] = fields
      }
    }
  }

  /// Returns a mask of some fields.
  mutating func mask() -> WireMessage {
    var paths: [Text] = []
    for _ in 0..<values.dice.roll(0...3) { paths.append(values.field()) }
    return WireMessage(.documentMask) { $0[.documentMaskFieldPaths] = paths }
  }

  /// Returns a set of a whole document.
  mutating func plainSet() -> CallStep.CandidateRequest {
    let document = document()
    return { memory in WireMessage(.write) { $0[.writeUpdate] = document(memory) } }
  }

  /// Returns any write.
  mutating func write() -> CallStep.CandidateRequest {
    let kind = values.dice.roll(100)
    let expectation = expectation()
    if kind < 18 { return naming(expectation, isVerification: kind < 3) }
    if kind < 23 { return transform(expectation) }
    let document = document()
    let mask = values.dice.chance(40) ? mask() : nil
    var transforms: [WireMessage] = []
    if values.dice.chance(25) {
      for _ in 0..<values.dice.roll(1...2) { transforms.append(fieldTransform()) }
    }
    let all = transforms
    return { memory in
      let sent = document(memory)
      return WireMessage(.write) {
        $0[.writeUpdate] = sent
        $0[.writeUpdateMask] = mask
        $0[.writeUpdateTransforms] = all
        $0[.writeCurrentDocument] = expectation.precondition(sent[.documentName], memory)
      }
    }
  }

  private mutating func naming(
    _ expectation: Expectation, isVerification: Bool
  ) -> CallStep.CandidateRequest {
    let path = values.path()
    return { memory in
      let name = memory.name(path)
      return WireMessage(.write) {
        if isVerification { $0[.writeVerify] = name } else { $0[.writeDelete] = name }
        $0[.writeCurrentDocument] = expectation.precondition(name, memory)
      }
    }
  }

  /// Returns a write of the old form, which contains only transforms.
  private mutating func transform(_ expectation: Expectation) -> CallStep.CandidateRequest {
    let path = values.path()
    var made: [WireMessage] = []
    for _ in 0..<values.dice.roll(0...2) { made.append(fieldTransform()) }
    let transforms = made
    return { memory in
      let name = memory.name(path)
      return WireMessage(.write) {
        $0[.writeTransform] = WireMessage(.documentTransform) {
          $0[.documentTransformDocument] = name
          $0[.documentTransformFieldTransforms] = transforms
        }
        $0[.writeCurrentDocument] = expectation.precondition(name, memory)
      }
    }
  }

  private mutating func fieldTransform() -> WireMessage {
    let field = values.field()
    let operand: Value =
      values.dice.chance(95)
      ? values.dice.pick([
        .int(1), .int(2), .int(-1), .float(0.5), .int(.max), .int(.min), .float(1), .float(.nan),
        .float(.infinity), .string("q"),
      ]) : values.value()
    let kind = values.dice.roll(6)
    let elements = values.list()
    let list = WireMessage(.arrayValue) { $0[.arrayValueValues] = elements }
    return WireMessage(.fieldTransform) {
      $0[.fieldTransformFieldPath] = field
      switch kind {
      case 0: $0[.fieldTransformSetToServerValue] = .requestTime
      case 1: $0[.fieldTransformIncrement] = operand
      case 2: $0[.fieldTransformMaximum] = operand
      case 3: $0[.fieldTransformMinimum] = operand
      case 4: $0[.fieldTransformAppendMissingElements] = list
      default: $0[.fieldTransformRemoveAllFromArray] = list
      }
    }
  }
}
