import RulesPage

// What the page calls. The page writes a request into memory that it asked for, calls, and reads the
// answer where it is told; both are UTF-8. What is kept between calls only spares work.

/// The nanoseconds since some moment, by the page's clock.
@_extern(wasm, module: "page", name: "nanoseconds")
@_extern(c)
func nanoseconds() -> Double

/// Tells the page how much of a long answer is done, and how much there is; none if nobody knows.
@_extern(wasm, module: "page", name: "progress")
@_extern(c)
func progress(_ done: Int32, _ total: Int32)

/// What is known about the last texts.
nonisolated(unsafe) private var service = PageService(
  clock: { UInt64(nanoseconds()) },
  progress: { progress(Int32(clamping: $0), Int32(clamping: $1)) })

/// The last answer, until the next call.
nonisolated(unsafe) private var lastAnswer: [UInt8] = []

/// Room for a request of so many bytes.
@_expose(wasm, "room")
@_cdecl("room")
public func room(_ count: Int) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: 8)
}

/// Answers the request in the memory that `room` gave, and gives that back. Returns where the answer is;
/// `answerCount` says how long it is.
@_expose(wasm, "answer")
@_cdecl("answer")
public func answer(_ request: UnsafeMutableRawPointer, _ count: Int) -> UnsafeRawPointer? {
  let bytes = Array(UnsafeRawBufferPointer(start: request, count: count))
  request.deallocate()
  lastAnswer = Array(service.answer(bytes).utf8)
  return lastAnswer.withUnsafeBytes { $0.baseAddress }
}

/// The length of the last answer in bytes.
@_expose(wasm, "answerCount")
@_cdecl("answerCount")
public func answerCount() -> Int { lastAnswer.count }
