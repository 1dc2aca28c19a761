import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct TableTests {
  @Test func everyMessageHasTheRowAtItsPlace() {
    #expect(MessageSpec.all.map { $0.type } == MessageType.allCases)
  }

  @Test(arguments: MessageType.allCases)
  func theConstantsOfAMessageReadTheirOwnRow(_ type: MessageType) {
    for (slot, field) in type.spec.fields.enumerated() {
      #expect(field.message == type)
      #expect(field.slot == slot, "\(field.name)")
    }
  }

  @Test(arguments: MessageType.allCases)
  func fieldsAreInTheOrderOfTheirNumbersAndHaveDifferentNames(_ type: MessageType) {
    let fields = type.spec.fields
    #expect(zip(fields, fields.dropFirst()).allSatisfy { $0.number < $1.number })
    #expect(Set(fields.map { $0.jsonName }).count == fields.count)
    #expect(fields.count < 32, "JSONReader notes them in 32 bits")
  }

  @Test func namesInJSONAreInLowerCamelCase() {
    let fields = MessageType.fieldTransform.spec.fields
    #expect(fields.map { $0.jsonName }.prefix(2) == ["fieldPath", "setToServerValue"])
  }

  @Test func aFieldIsFoundByBothOfItsNamesAndByItsNumber() {
    let spec = MessageType.write.spec
    #expect(spec.slot(named: "updateMask") == 2)
    #expect(spec.slot(named: "update_mask") == 2)
    #expect(spec.slot(named: "updatemask") == nil)
    #expect(spec.slot(ofNumber: 3) == 2)
    #expect(spec.slot(ofNumber: 0) == nil)
    #expect(spec.slot(ofNumber: 8) == nil)
    #expect(spec.slot(ofNumber: .max) == nil)
  }

  private static func numbers<Cases: WireEnumeration>(_ type: Cases.Type) -> [Int32] {
    Cases.allCases.map { $0.rawValue }
  }

  @Test func casesOfEnumerationsAreThoseThatHaveNames() {
    let numbers: [(EnumType, [Int32])] = [
      (Direction.type, Self.numbers(Direction.self)),
      (CompositeOperator.type, Self.numbers(CompositeOperator.self)),
      (FieldOperator.type, Self.numbers(FieldOperator.self)),
      (UnaryOperator.type, Self.numbers(UnaryOperator.self)),
      (DistanceMeasure.type, Self.numbers(DistanceMeasure.self)),
      (TargetChangeType.type, Self.numbers(TargetChangeType.self)),
      (ServerValue.type, Self.numbers(ServerValue.self)),
      (ConcurrencyMode.type, Self.numbers(ConcurrencyMode.self)),
    ]
    #expect(numbers.map { $0.0 } == EnumType.allCases)
    for (type, cases) in numbers { #expect(type.names.map { $0.number } == cases) }
  }

  @Test func methodsAreFoundByPathAndByName() {
    #expect(FirestoreMethod.allCases.count == 16)
    for method in FirestoreMethod.allCases {
      let name = method.name.description
      #expect(FirestoreMethod(name: name) == method)
      #expect(FirestoreMethod(path: "google.firestore.v1.Firestore/\(name)") == method)
    }
    #expect(FirestoreMethod(path: "google.firestore.v1.Firestore/Nope") == nil)
    #expect(FirestoreMethod(path: "google.firestore.v1.Other/Write") == nil)
    #expect(FirestoreMethod(path: "") == nil)
  }

  @Test func streamsGoTheWaysThatTheServiceDeclares() {
    let server = FirestoreMethod.allCases.filter { $0.isServerStreaming && !$0.isClientStreaming }
    #expect(server == [.batchGetDocuments, .runQuery, .runAggregationQuery])
    #expect(FirestoreMethod.allCases.filter { $0.isClientStreaming } == [.write, .listen])
  }
}
