import Testing

@testable import FirestoreTransport

@Suite struct ByteQueueTests {
  @Test func aQueueIsAnArrayThatForgetsItsStart() {
    var random = TrialRandom(seed: 21)
    var queue = ByteQueue()
    var reference: [UInt8] = []
    for _ in 0..<3000 {
      switch random.below(4) {
      case 0:
        let bytes = random.bytes(random.below(50))
        queue.append(bytes)
        reference += bytes
      case 1:
        let bytes = random.bytes(20)
        let slice = bytes[random.below(10)..<15]
        queue.append(slice)
        reference += slice
      case 2:
        let size = random.below(min(reference.count, 60) + 1)
        queue.consume(size)
        reference.removeFirst(size)
      default:
        let size = random.below(min(reference.count, 60) + 1)
        #expect(queue.take(size) == Array(reference.prefix(size)))
        reference.removeFirst(size)
      }
      #expect(queue.count == reference.count && queue.isEmpty == reference.isEmpty)
      let middle = reference.count / 2
      #expect(Array(queue.slice(middle..<reference.count)) == Array(reference[middle...]))
      #expect(queue.offset(of: 7, from: middle) == reference[middle...].firstIndex(of: 7))
    }
  }

  @Test func numbersAreReadWithinALimit() {
    #expect(Array("0123".utf8)[...].number(base: 10, limit: 123) == 123)
    #expect(Array("124".utf8)[...].number(base: 10, limit: 123) == nil)
    #expect(Array("fF".utf8)[...].number(base: 16, limit: 255) == 255)
    for text in ["", "a", "-1", " 1", "1 "] {
      #expect(Array(text.utf8)[...].number(base: 10, limit: 99) == nil)
    }
  }
}
