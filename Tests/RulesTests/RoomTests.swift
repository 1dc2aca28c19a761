import Foundation
import Testing

/// Within a module arrows point one way, too: a room uses what stands before it in this table.
@Suite struct RoomTests {
  /// The rooms of each module, from the bottom to the top. Rooms in one row of their own may use one
  /// another; there should be no such row.
  private static let layers: [String: [Set<String>]] = [
    "RulesLang": [
      ["Source"], ["Pattern"], ["Library"], ["Syntax"], ["Diagnostics"], ["Parse"], ["Check"],
      ["Edit"], ["Print"],
    ],
    "RulesStyle": [["Lint"], ["Format"]],
    "RulesEval": [
      ["Value"], ["Math"], ["Hash"], ["JSON"], ["Query"], ["Request"], ["Reference"], ["Compile"],
      ["Decision"], ["Coverage"], ["Explanation"], ["Machine"], ["Suite"],
    ],
    "RulesVerify": [["Question"], ["Encode"], ["Check"]],
    "RulesSolver": [["Terms"], ["Problem"], ["Theory"], ["Search"]],
    "RulesEncoding": [["Cases"], ["Scene"], ["Compiler"]],
    "RulesProof": [
      ["Strategy"], ["Patch"], ["Claims"], ["Requests"], ["Models"], ["Evidence"], ["Attack"],
      ["Goals"], ["Prove"], ["Sequences"], ["SMT"], ["Audit"], ["Diff"], ["Repair"], ["Mutate"],
      ["Redundancy"], ["Blocks"], ["Trust"],
    ],
    "RulesCheck": [[""]],
    "RulesCheckTesting": [[""]],
    "FirestoreTransport": [
      ["Bytes"], ["Compression"], ["HPACK"], ["HTTP1"], ["GRPC"], ["HTTP2"], ["Connection"],
    ],
    "FirestoreWire": [["Schema"], ["Values"], ["Protobuf"], ["Text"], ["Exports"]],
    "FirestoreStore": [["Names"], ["Documents"], ["Writes"], ["Queries"], ["Transactions"]],
    "FirestoreServer": [
      ["Identity"], ["Rules"], ["Messages"], ["Calls"], ["Streams"], ["Channels"], ["Endpoints"],
      ["Server"],
    ],
    "RulesHost": [["System"], ["Command"], ["Emulator"], ["Files"]],
    "RulesReport": [
      ["Text"], ["Results"], ["Pretty"], ["JSON"], ["Markdown"], ["Pages"], ["Interchange"],
    ],
    "RulesProofReport": [
      ["Results"], ["Pretty"], ["JSON"], ["Markdown"], ["Pages"], ["Interchange"],
    ],
    "RulesPage": [["Service"]],
    "RulesService": [
      ["Documents"], ["Symbols"], ["Runs"], ["Analysis"], ["Assist"], ["Display"], ["Suites"],
      ["Repair"],
    ],
    "rules-check": [
      ["Config"], ["Output"], ["Suites"], ["Drafts"], ["Replay"], ["Emulator"], ["Live"],
      ["RemoteCalls"], ["Language"], ["Assistants"], ["Commands"], [""],
    ],
    "rules-check-dev": [["Bench"], ["Differential"], ["Fuzz"], ["Commands"], [""]],
  ]

  /// A file, with the words that can be names of types.
  private struct File {
    var path: String
    var module: String
    var room: String
    var words: Set<Substring>
  }

  /// The files, and the room of each type that only one room declares.
  private static let read: (files: [File], homes: [Substring: [String]]) = {
    var files: [File] = []
    var homes: [Substring: Set<[String]>] = [:]
    for source in ArchitectureTests.sources {
      let parts = source.path.components(separatedBy: "/")
      let room = parts.count > 3 ? parts[2] : ""
      var file = File(path: source.path, module: parts[1], room: room, words: [])
      for line in source.lines {
        let plain = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset.isMultiple(of: 2) }.map { $0.element }.joined(separator: " ")
        let code = plain.prefix(upTo: plain.range(of: "//")?.lowerBound ?? plain.endIndex)
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        file.words.formUnion(words.filter { $0.first?.isUppercase == true })
        if line.first?.isLetter == true, !line.hasPrefix("private"),
          let place = words.firstIndex(where: { declaring.contains($0) }), place + 1 < words.count
        {
          homes[words[place + 1], default: []].insert([parts[1], room])
        }
      }
      files.append(file)
    }
    return (files, homes.filter { $0.value.count == 1 }.compactMapValues(\.first))
  }()

  private static let declaring: Set<Substring> = ["struct", "enum", "class", "protocol"]

  @Test func everyRoomStandsInTheTable() {
    for file in Self.read.files {
      let rooms = Self.layers[file.module]?.flatMap { $0 } ?? []
      #expect(rooms.contains(file.room), "\(file.path)")
    }
  }

  @Test func aRoomUsesOnlyWhatStandsBelowIt() {
    var arrows = 0
    for file in Self.read.files {
      guard let layers = Self.layers[file.module],
        let own = layers.firstIndex(where: { $0.contains(file.room) })
      else { continue }
      for word in file.words {
        guard let home = Self.read.homes[word], home[0] == file.module, home[1] != file.room,
          let other = layers.firstIndex(where: { $0.contains(home[1]) })
        else { continue }
        arrows += 1
        #expect(other <= own, "\(file.path) uses \(word) of \(home[1])")
      }
    }
    #expect(arrows > 500)
  }
}
