import FirestoreWire
import RulesEval
import RulesLang

/// Generates a sequence of calls, each a step that can be removed.
struct CallMaker {
  private var dice: Dice
  private var writes: CallWriteMaker
  private var queries: CallQueryMaker
  /// The open transactions, with the steps since they were begun.
  private var open: [(number: Int, user: CallUser, age: Int)] = []
  private var begun = 0
  /// The targets on each user's listener.
  private var targets: [CallUser: [Int32]] = [:]
  private var lastTarget: Int32 = 0

  /// Steps at the beginning in which the owner stores documents.
  private static let seeding = 4
  /// Maximum steps until a transaction is ended, so that few calls wait two seconds for its locks.
  private static let oldest = 4

  /// Creates the source of a sequence.
  init(_ dice: Dice) {
    self.dice = dice
    writes = CallWriteMaker(Dice(seed: 1, UInt64(self.dice.roll(1 << 30))))
    queries = CallQueryMaker(Dice(seed: 2, UInt64(self.dice.roll(1 << 30))))
  }

  /// Returns a sequence of `count` steps.
  mutating func steps(_ count: Int) -> [CallStep] {
    (0..<count).map { $0 < Self.seeding ? seeding() : step() }
  }

  private mutating func seeding() -> CallStep {
    let candidates = (0..<8).map { _ in writes.plainSet() }
    return commit(candidates, as: .owner, transaction: nil)
  }

  private mutating func step() -> CallStep {
    for place in open.indices { open[place].age += 1 }
    if let old = open.first(where: { $0.age > Self.oldest }) { return end(old.number, old.user) }
    let user: CallUser = dice.pick([.owner, .owner, .alice, .alice, .alice, .bob, .nobody])
    switch dice.roll(100) {
    case 0..<20: return commit(someWrites(), as: user, transaction: openTransaction(of: user))
    case 20..<32: return writeMessage(user)
    case 32..<34: return CallStep(user: user, action: .end(.write)) { _ in WireMessage(.empty) }
    case 34..<41: return addTarget(user)
    case 41..<43: return removeTarget(user)
    case 43..<44:
      targets[user] = nil
      return CallStep(user: user, action: .end(.listen)) { _ in WireMessage(.empty) }
    case 44..<62: return runQuery(user)
    case 62..<69: return aggregate(user)
    case 69..<76: return batchGet(user)
    case 76..<79: return get(user)
    case 79..<83: return list(user)
    case 83..<84: return collectionIDs(user)
    case 84..<88: return create(user)
    case 88..<92: return update(user)
    case 92..<95: return delete(user)
    case 95..<97: return batchWrite(user)
    default: return begin(user)
    }
  }

  // MARK: Transactions

  private func openTransaction(of user: CallUser) -> Int? {
    open.last { $0.user == user }?.number
  }

  /// Returns the transaction of a read: an open one, or none.
  private mutating func readTransaction(_ user: CallUser) -> Int? {
    dice.chance(60) ? openTransaction(of: user) : nil
  }

  private mutating func begin(_ user: CallUser) -> CallStep {
    let number = begun
    begun += 1
    open.append((number, user, 0))
    let isReadOnly = dice.chance(25)
    var step = CallStep(user: user, action: .unary(.beginTransaction)) { memory in
      WireMessage(.beginTransactionRequest) {
        $0[.beginTransactionRequestDatabase] = memory.database
        if isReadOnly { $0[.beginTransactionRequestOptions] = Self.readOnly }
      }
    }
    step.transaction = number
    return step
  }

  private static let readOnly = WireMessage(.transactionOptions) {
    $0[.transactionOptionsReadOnly] = WireMessage(.readOnly)
  }
  private static let readWrite = WireMessage(.transactionOptions) {
    $0[.transactionOptionsReadWrite] = WireMessage(.readWrite)
  }

  private mutating func end(_ number: Int, _ user: CallUser) -> CallStep {
    open.removeAll { $0.number == number }
    if dice.chance(60) { return commit(someWrites(), as: user, transaction: number) }
    return CallStep(user: user, action: .unary(.rollback)) { memory in
      WireMessage(.rollbackRequest) {
        $0[.rollbackRequestDatabase] = memory.database
        $0[.rollbackRequestTransaction] = memory.transaction(number)
      }
    }
  }

  // MARK: Writes

  private mutating func someWrites() -> [CallStep.CandidateRequest] {
    (0..<dice.roll(1...3)).map { _ in writes.write() }
  }

  private mutating func commit(
    _ candidates: [CallStep.CandidateRequest], as user: CallUser, transaction: Int?
  ) -> CallStep {
    if let transaction { open.removeAll { $0.number == transaction } }
    return CallStep(user: user, action: .unary(.commit)) { memory in
      WireMessage(.commitRequest) {
        $0[.commitRequestDatabase] = memory.database
        $0[.commitRequestWrites] = candidates.map { $0(memory) }
        if let transaction { $0[.commitRequestTransaction] = memory.transaction(transaction) }
      }
    }
  }

  private mutating func writeMessage(_ user: CallUser) -> CallStep {
    let candidates = someWrites()
    return CallStep(user: user, action: .message(.write)) { memory in
      WireMessage(.writeRequest) { $0[.writeRequestWrites] = candidates.map { $0(memory) } }
    }
  }

  private mutating func batchWrite(_ user: CallUser) -> CallStep {
    let candidates = someWrites()
    return CallStep(user: dice.chance(70) ? .owner : user, action: .unary(.batchWrite)) { memory in
      WireMessage(.batchWriteRequest) {
        $0[.batchWriteRequestDatabase] = memory.database
        $0[.batchWriteRequestWrites] = candidates.map { $0(memory) }
      }
    }
  }

  private mutating func create(_ user: CallUser) -> CallStep {
    let (path, fields) = (writes.values.path(), writes.values.fields())
    let parts = path.split(separator: "/").map(String.init)
    let parent = parts.dropLast(2).joined(separator: "/")
    // Documents with drawn names lie where no query looks, because their order is drawn, too.
    let isDrawn = dice.chance(20)
    return CallStep(user: user, action: .unary(.createDocument)) { memory in
      WireMessage(.createDocumentRequest) {
        $0[.createDocumentRequestParent] = memory.name(isDrawn ? "" : parent)
        $0[.createDocumentRequestCollectionId] = Text(isDrawn ? "drawn" : parts[parts.count - 2])
        if !isDrawn { $0[.createDocumentRequestDocumentId] = Text(parts[parts.count - 1]) }
        $0[.createDocumentRequestDocument] = WireMessage(.document) {
          $0[.documentFields] = fields
        }
      }
    }
  }

  private mutating func update(_ user: CallUser) -> CallStep {
    let (document, expectation) = (writes.document(), writes.expectation())
    let (mask, part) = (optionalMask(50), optionalMask(20))
    return CallStep(user: user, action: .unary(.updateDocument)) { memory in
      let sent = document(memory)
      return WireMessage(.updateDocumentRequest) {
        $0[.updateDocumentRequestDocument] = sent
        $0[.updateDocumentRequestUpdateMask] = mask
        $0[.updateDocumentRequestMask] = part
        $0[.updateDocumentRequestCurrentDocument] =
          expectation.precondition(sent[.documentName], memory)
      }
    }
  }

  private mutating func optionalMask(_ percent: Int) -> WireMessage? {
    dice.chance(percent) ? writes.mask() : nil
  }

  private mutating func delete(_ user: CallUser) -> CallStep {
    let (path, expectation) = (writes.values.path(), writes.expectation())
    return CallStep(user: user, action: .unary(.deleteDocument)) { memory in
      WireMessage(.deleteDocumentRequest) {
        $0[.deleteDocumentRequestName] = memory.name(path)
        $0[.deleteDocumentRequestCurrentDocument] =
          expectation.precondition(memory.name(path), memory)
      }
    }
  }

  // MARK: Reads

  private mutating func get(_ user: CallUser) -> CallStep {
    let (path, mask, number) = (queries.values.path(), optionalMask(20), readTransaction(user))
    return CallStep(user: user, action: .unary(.getDocument)) { memory in
      WireMessage(.getDocumentRequest) {
        $0[.getDocumentRequestName] = memory.name(path)
        $0[.getDocumentRequestMask] = mask
        $0[.getDocumentRequestTransaction] = number.map { memory.transaction($0) }
      }
    }
  }

  private mutating func batchGet(_ user: CallUser) -> CallStep {
    var names: [String] = []
    for _ in 0..<dice.roll(1...4) { names.append(queries.values.path()) }
    let (paths, mask, number) = (names, optionalMask(20), readTransaction(user))
    let begins = number == nil && dice.chance(10)
    var step = CallStep(user: user, action: .unary(.batchGetDocuments)) { memory in
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = memory.database
        $0[.batchGetDocumentsRequestDocuments] = paths.map { memory.name($0) }
        $0[.batchGetDocumentsRequestMask] = mask
        if let number {
          $0[.batchGetDocumentsRequestTransaction] = memory.transaction(number)
        }
        if begins { $0[.batchGetDocumentsRequestNewTransaction] = Self.readWrite }
      }
    }
    if begins { step.transaction = newTransaction(user) }
    return step
  }

  private mutating func newTransaction(_ user: CallUser) -> Int {
    let number = begun
    begun += 1
    open.append((number, user, 0))
    return number
  }

  private mutating func runQuery(_ user: CallUser) -> CallStep {
    let (drawn, number) = (queries.query(), readTransaction(user))
    return CallStep(user: user, action: .unary(.runQuery)) { memory in
      WireMessage(.runQueryRequest) {
        $0[.runQueryRequestParent] = memory.name(drawn.parent)
        $0[.runQueryRequestStructuredQuery] = drawn.query
        if let number { $0[.runQueryRequestTransaction] = memory.transaction(number) }
      }
    }
  }

  private mutating func aggregate(_ user: CallUser) -> CallStep {
    let (drawn, aggregations) = (queries.query(), queries.aggregations())
    return CallStep(user: user, action: .unary(.runAggregationQuery)) { memory in
      WireMessage(.runAggregationQueryRequest) {
        $0[.runAggregationQueryRequestParent] = memory.name(drawn.parent)
        $0[.runAggregationQueryRequestStructuredAggregationQuery] = WireMessage(
          .structuredAggregationQuery
        ) {
          $0[.structuredAggregationQueryStructuredQuery] = drawn.query
          $0[.structuredAggregationQueryAggregations] = aggregations
        }
      }
    }
  }

  private mutating func list(_ user: CallUser) -> CallStep {
    let collection = Text(dice.pick(["a", "b", "s", ""]))
    let (withMissing, mask) = (dice.chance(30), optionalMask(15))
    let size: Int32 = withMissing ? 2 : dice.pick([0, 0, 3])
    return CallStep(user: user, action: .unary(.listDocuments)) { memory in
      WireMessage(.listDocumentsRequest) {
        $0[.listDocumentsRequestParent] = memory.root
        $0[.listDocumentsRequestCollectionId] = collection
        $0[.listDocumentsRequestShowMissing] = withMissing
        $0[.listDocumentsRequestPageSize] = size
        $0[.listDocumentsRequestMask] = mask
      }
    }
  }

  private mutating func collectionIDs(_ user: CallUser) -> CallStep {
    let parent = dice.pick(["", "a/1", "b/2"])
    return CallStep(user: user, action: .unary(.listCollectionIDs)) { memory in
      WireMessage(.listCollectionIdsRequest) {
        $0[.listCollectionIdsRequestParent] = memory.name(parent)
      }
    }
  }

  // MARK: Listeners

  private mutating func addTarget(_ user: CallUser) -> CallStep {
    lastTarget += 1
    let id = lastTarget
    targets[user, default: []].append(id)
    let drawn = queries.query().withAscendingNames
    var names: [String] = []
    for _ in 0..<dice.roll(1...2) { names.append(queries.values.path()) }
    let (paths, isQuery, hasToken) = (names, dice.chance(60), dice.chance(5))
    return CallStep(user: user, action: .message(.listen)) { memory in
      WireMessage(.listenRequest) {
        $0[.listenRequestAddTarget] = WireMessage(.target) {
          $0[.targetTargetId] = id
          if hasToken { $0[.targetResumeToken] = [1] }
          if isQuery {
            $0[.targetQuery] = WireMessage(.queryTarget) {
              $0[.queryTargetParent] = memory.name(drawn.parent)
              $0[.queryTargetStructuredQuery] = drawn.query
            }
          } else {
            $0[.targetDocuments] = WireMessage(.documentsTarget) {
              $0[.documentsTargetDocuments] = paths.map { memory.name($0) }
            }
          }
        }
      }
    }
  }

  private mutating func removeTarget(_ user: CallUser) -> CallStep {
    let known = targets[user] ?? []
    let id = known.isEmpty ? 99 : dice.pick(known)
    targets[user]?.removeAll { $0 == id }
    return CallStep(user: user, action: .message(.listen)) { _ in
      WireMessage(.listenRequest) { $0[.listenRequestRemoveTarget] = id }
    }
  }
}
