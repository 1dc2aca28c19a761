extension HTTP2Connection {
  /// Reads DATA. Padding counts towards the windows, and data on closed streams counts towards that of the
  /// connection.
  mutating func receiveData(_ frame: Frame) throws(ConnectionFailure) -> HTTP2Event? {
    try requireKnown(frame.stream, "DATA")
    let content = try frame.content()
    guard receiveWindow.receive(frame.payload.count) else {
      throw ConnectionFailure(.flowControlError, "DATA exceeds the connection's window")
    }
    if let increment = receiveWindow.takeIncrement() { sendWindowUpdate(0, increment) }
    let number = frame.stream
    guard let place = streams.index(forKey: number) else { return nil }
    guard streams.values[place].receivesMore else { return reset(number, .streamClosed) }
    guard streams.values[place].receiveWindow.receive(frame.payload.count) else {
      return reset(number, .flowControlError)
    }
    let ends = frame.flags.contains(.endStream)
    if ends {
      streams.values[place].receivesMore = false
    } else if let increment = streams.values[place].receiveWindow.takeIncrement() {
      sendWindowUpdate(number, increment)
    }
    return content.isEmpty && !ends ? nil : .data(content, StreamID(number), ends: ends)
  }

  /// Reads WINDOW_UPDATE.
  mutating func receiveWindowUpdate(_ frame: Frame) throws(ConnectionFailure) -> HTTP2Event? {
    guard frame.payload.count == 4 else {
      throw ConnectionFailure(.frameSizeError, "WINDOW_UPDATE of \(frame.payload.count) bytes")
    }
    let increment = Int64(frame.payload.bigEndian & 0x7fff_ffff)
    guard frame.stream != 0 else {
      guard increment > 0 else {
        throw ConnectionFailure(.protocolError, "WINDOW_UPDATE of nothing")
      }
      guard sendWindow + increment <= Self.largestWindow else {
        throw ConnectionFailure(.flowControlError, "Window of the connection is too large")
      }
      sendWindow += increment
      return nil
    }
    try requireKnown(frame.stream, "WINDOW_UPDATE")
    guard let place = streams.index(forKey: frame.stream) else { return nil }
    guard increment > 0 else { return reset(frame.stream, .protocolError) }
    let credit = streams.values[place].sendCredit + increment
    guard initialSendWindow + credit <= Self.largestWindow else {
      return reset(frame.stream, .flowControlError)
    }
    streams.values[place].sendCredit = credit
    if blocked.contains(frame.stream), initialSendWindow + credit > 0 { unblock(frame.stream) }
    return nil
  }

  /// Reads SETTINGS. Only header tables and windows matter; limits of streams concern pushes, which are not
  /// used.
  mutating func receiveSettings(_ frame: Frame) throws(ConnectionFailure) {
    guard frame.stream == 0 else {
      throw ConnectionFailure(.protocolError, "SETTINGS on stream \(frame.stream)")
    }
    let isAnswer = frame.flags.contains(.acknowledges)
    guard isAnswer ? frame.payload.isEmpty : frame.payload.count % 6 == 0 else {
      throw ConnectionFailure(.frameSizeError, "SETTINGS of \(frame.payload.count) bytes")
    }
    hasSettings = true
    if isAnswer { return }
    var rest = frame.payload
    while !rest.isEmpty {
      let number = rest.prefix(2).bigEndian
      let value = rest.dropFirst(2).bigEndian
      rest = rest.dropFirst(6)
      try apply(setting: number, value: value)
    }
    sendControl(.settings, .acknowledges)
  }

  private mutating func apply(setting number: UInt32, value: UInt32) throws(ConnectionFailure) {
    switch number {
    case 1:
      // The server's own table is always empty, so a single update to size 0 holds for all later sizes.
      if value < HPACKDecoder.tableSize, !hasEmptyTable { announcesEmptyTable = true }
    case 2:
      guard value <= 1 else { throw ConnectionFailure(.protocolError, "Bad ENABLE_PUSH") }
    case 4:
      guard value <= Self.largestWindow else {
        throw ConnectionFailure(.flowControlError, "Bad INITIAL_WINDOW_SIZE")
      }
      let grows = Int64(value) > initialSendWindow
      initialSendWindow = Int64(value)
      // Streams whose windows are still empty are blocked again at their turn.
      if grows { for stream in blocked.sorted() { unblock(stream) } }
    case 5:
      guard value >= Frame.largestPayload, value < 1 << 24 else {
        throw ConnectionFailure(.protocolError, "Bad MAX_FRAME_SIZE")
      }
    default: break
    }
  }

  private mutating func unblock(_ number: UInt32) {
    guard blocked.remove(number) != nil else { return }
    streams[number]?.isReady = true
    ready.append(number)
  }

  /// Reads PING. Their number is not limited, since C-core sends one at nearly every answer.
  mutating func receivePing(_ frame: Frame) throws(ConnectionFailure) {
    guard frame.stream == 0 else {
      throw ConnectionFailure(.protocolError, "PING on stream \(frame.stream)")
    }
    guard frame.payload.count == 8 else {
      throw ConnectionFailure(.frameSizeError, "PING of \(frame.payload.count) bytes")
    }
    if !frame.flags.contains(.acknowledges) {
      sendControl(.ping, .acknowledges, payload: Array(frame.payload))
    }
  }

  /// Reads GOAWAY. It has no effect: the client ends its streams and then the connection.
  mutating func receiveGoAway(_ frame: Frame) throws(ConnectionFailure) {
    guard frame.stream == 0 else {
      throw ConnectionFailure(.protocolError, "GOAWAY on stream \(frame.stream)")
    }
    guard frame.payload.count >= 8 else {
      throw ConnectionFailure(.frameSizeError, "GOAWAY of \(frame.payload.count) bytes")
    }
  }
}
