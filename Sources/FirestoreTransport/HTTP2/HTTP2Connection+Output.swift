extension HTTP2Connection {
  /// Queues the server's SETTINGS and the enlargement of the connection's window.
  mutating func sendSettings() {
    var payload: [UInt8] = []
    let settings: [(number: UInt8, value: Int)] = [
      (3, limits.concurrentStreams), (4, limits.receiveWindow), (6, limits.headerListSize),
    ]
    for setting in settings {
      payload += [0, setting.number]
      payload.append(bigEndian: UInt32(clamping: setting.value))
    }
    sendControl(.settings, [], payload: payload)
    let increment = limits.receiveWindow - Self.defaultWindow
    if increment > 0 { sendWindowUpdate(0, UInt32(clamping: increment)) }
  }

  /// Queues a frame that is not subject to flow control.
  mutating func sendControl(
    _ type: FrameType, _ flags: FrameFlags, stream: UInt32 = 0, payload: [UInt8] = []
  ) {
    controlBytes += Frame.headerSize + payload.count
    Frame.appendHeader(type, flags, stream: stream, size: payload.count, to: &output)
    output += payload
  }

  /// Queues WINDOW_UPDATE; stream 0 stands for the connection.
  mutating func sendWindowUpdate(_ stream: UInt32, _ increment: UInt32) {
    var payload: [UInt8] = []
    payload.append(bigEndian: increment)
    sendControl(.windowUpdate, [], stream: stream, payload: payload)
  }

  /// Queues RST_STREAM, also for unknown streams.
  mutating func sendReset(_ stream: UInt32, _ code: ErrorCode) {
    sendReset(stream, code: code.rawValue)
  }

  /// Queues RST_STREAM with any code, known or not.
  mutating func sendReset(_ stream: UInt32, code: UInt32) {
    var payload: [UInt8] = []
    payload.append(bigEndian: code)
    sendControl(.resetStream, [], stream: stream, payload: payload)
  }

  /// Queues GOAWAY.
  mutating func sendGoAway(_ failure: ConnectionFailure) {
    var payload: [UInt8] = []
    payload.append(bigEndian: lastStream)
    payload.append(bigEndian: failure.code.rawValue)
    payload += failure.text.utf8
    sendControl(.goAway, [], payload: payload)
  }

  /// Resets and closes an open stream.
  mutating func reset(_ number: UInt32, _ code: ErrorCode) -> HTTP2Event {
    sendReset(number, code)
    close(number)
    return .reset(StreamID(number))
  }

  /// Resets a stream. Ignored if it is not open.
  mutating func reset(_ stream: StreamID, code: UInt32) {
    guard streams[stream.number] != nil else { return }
    sendReset(stream.number, code: code)
    close(stream.number)
  }

  /// Drops a stream with its waiting data.
  mutating func close(_ number: UInt32) {
    guard let stream = streams.removeValue(forKey: number) else { return }
    pendingBytes -= stream.pending.count
    blocked.remove(number)
    // Closed streams may remain in the queue, but never make up most of it.
    if ready.count > 2 * streams.count + 16 { ready.removeAll { streams[$0] == nil } }
  }

  /// Queues a header block. Ignored if the stream is closed. A block that ends the stream is sent after the
  /// waiting data; another one is ignored if data waits.
  mutating func sendHeaders(_ block: [UInt8], on stream: StreamID, ends: Bool) {
    let number = stream.number
    guard let place = streams.index(forKey: number) else { return }
    markAnswered(number)
    guard streams.values[place].pending.isEmpty else {
      if ends { streams.values[place].trailers = block }
      return
    }
    write(block: block, stream: number, ends: ends)
    if ends { close(number) }
  }

  /// Queues data, which is sent as the windows allow. Ignored if the stream is closed.
  mutating func sendData(_ parts: [[UInt8]], on stream: StreamID, ends: Bool = false) {
    let number = stream.number
    guard let place = streams.index(forKey: number) else { return }
    markAnswered(number)
    for part in parts {
      streams.values[place].pending.append(part)
      pendingBytes += part.count
    }
    if ends { streams.values[place].endsWithData = true }
    guard !streams.values[place].pending.isEmpty else {
      if ends {
        Frame.appendHeader(.data, .endStream, stream: number, size: 0, to: &output)
        close(number)
      }
      return
    }
    guard !streams.values[place].isReady, !blocked.contains(number) else { return }
    streams.values[place].isReady = true
    ready.append(number)
  }

  /// Writes HEADERS and, if needed, CONTINUATION frames.
  private mutating func write(block: [UInt8], stream: UInt32, ends: Bool) {
    var block = block
    if announcesEmptyTable {
      var start: [UInt8] = []
      HPACKEncoder.appendEmptyTable(to: &start)
      block = start + block
      (announcesEmptyTable, hasEmptyTable) = (false, true)
    }
    var place = 0
    repeat {
      let end = min(place + Frame.largestPayload, block.count)
      var flags: FrameFlags = end == block.count ? .endHeaders : []
      if place == 0, ends { flags.insert(.endStream) }
      Frame.appendHeader(
        place == 0 ? .headers : .continuation, flags, stream: stream, size: end - place,
        to: &output)
      output += block[place..<end]
      place = end
    } while place < block.count
  }

  /// True if there are bytes for the client that do not wait for the connection's window.
  var hasOutput: Bool { !output.isEmpty || sendWindow > 0 && !ready.isEmpty }

  /// Takes the bytes that may be sent now: frames without flow control, then data, one frame of each stream
  /// in turn.
  mutating func takeOutput() -> [UInt8] {
    var round = ready
    ready = []
    let size = Int(clamping: min(sendWindow, Int64(pendingBytes)))
    if !round.isEmpty {
      let frames = size / Frame.largestPayload + round.count
      output.reserveCapacity(output.count + size + frames * Frame.headerSize)
    }
    while !round.isEmpty, sendWindow > 0 {
      var later: [UInt32] = []
      for (place, number) in round.enumerated() {
        guard sendWindow > 0 else {
          later += round[place...]
          break
        }
        if sendFrame(of: number) { later.append(number) }
      }
      round = later
    }
    ready = round
    controlBytes = 0
    defer { output = [] }
    return output
  }

  /// Writes a frame of a stream's data. Returns true if more data waits.
  private mutating func sendFrame(of number: UInt32) -> Bool {
    guard let place = streams.index(forKey: number) else { return false }
    let window = min(initialSendWindow + streams.values[place].sendCredit, sendWindow)
    guard window > 0 else {
      streams.values[place].isReady = false
      blocked.insert(number)
      return false
    }
    let waiting = streams.values[place].pending.count
    let size = min(waiting, Frame.largestPayload, Int(clamping: window))
    let isLast = size == waiting
    let ends = isLast && streams.values[place].endsWithData
    Frame.appendHeader(.data, ends ? .endStream : [], stream: number, size: size, to: &output)
    output += streams.values[place].pending.slice(0..<size)
    streams.values[place].pending.consume(size)
    streams.values[place].sendCredit -= Int64(size)
    sendWindow -= Int64(size)
    pendingBytes -= size
    guard isLast else { return true }
    streams.values[place].isReady = false
    if let trailers = streams.values[place].trailers {
      write(block: trailers, stream: number, ends: true)
      close(number)
    } else if ends {
      close(number)
    }
    return false
  }
}
