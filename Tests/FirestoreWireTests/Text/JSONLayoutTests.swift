import RulesEval
import RulesLang
import Testing

@testable import FirestoreWire

@Suite struct JSONLayoutTests {
  private func text(_ message: WireMessage, _ layout: JSONLayout) -> String {
    String(decoding: message.json(project: "p", layout: layout), as: UTF8.self)
  }

  @Test func anEmptyMessageIsTwoLines() {
    #expect(text(WireMessage(.empty), .pretty) == "{\n}")
    #expect(text(WireMessage(.empty), .compact) == "{}")
  }

  @Test func aDocumentIsLaidOutAsOverREST() throws {
    let document = WireMessage(.document) {
      $0[.documentName] = "projects/p/databases/d/documents/a/b"
      $0[.documentFields] = MapValue([
        ("n", .null), ("f", .bool(false)), ("i", .int(-7)), ("d", .float(1)),
        ("e", .map(MapValue())),
        ("l", .list([.string("a\"\\\n\u{1}/"), .bytes([0xFB, 0xFF])])), ("o", .list([])),
        ("m", .map(MapValue([("k", .latlng(LatLng(latitude: 1.5, longitude: 0)))]))),
        ("r", .path(PathValue(plain: ["databases", "d", "documents", "c", "d"]))),
        ("x", .float(.nan)),
      ])
      $0[.documentCreateTime] = Timestamp(epochSeconds: 0, nanos: 120_000_000)
    }
    let expected = #"""
      {
        "name": "projects/p/databases/d/documents/a/b",
        "fields": {
          "n": {
            "nullValue": null
          },
          "f": {
            "booleanValue": false
          },
          "i": {
            "integerValue": "-7"
          },
          "d": {
            "doubleValue": 1.0
          },
          "e": {
            "mapValue": {
            }
          },
          "l": {
            "arrayValue": {
              "values": [{
                "stringValue": "a\"\\\n\u0001/"
              }, {
                "bytesValue": "+/8="
              }]
            }
          },
          "o": {
            "arrayValue": {
            }
          },
          "m": {
            "mapValue": {
              "fields": {
                "k": {
                  "geoPointValue": {
                    "latitude": 1.5
                  }
                }
              }
            }
          },
          "r": {
            "referenceValue": "projects/p/databases/d/documents/c/d"
          },
          "x": {
            "doubleValue": "NaN"
          }
        },
        "createTime": "1970-01-01T00:00:00.120Z"
      }
      """#
    #expect(text(document, .pretty) == expected)
  }

  @Test func messagesOfWebChannelAreOnOneLine() {
    let handshake = WireMessage(.writeResponse) {
      $0[.writeResponseStreamId] = "2"
      $0[.writeResponseStreamToken] = Array("0".utf8)
    }
    #expect(text(handshake, .compact) == #"{"streamId":"2","streamToken":"MA=="}"#)
    let denied = WireMessage(.listenResponse) {
      $0[.listenResponseTargetChange] = WireMessage(.targetChange) {
        $0[.targetChangeTargetChangeType] = .remove
        $0[.targetChangeTargetIds] = [6, 8]
        $0[.targetChangeCause] = WireMessage(.status) {
          $0[.statusCode] = 7
          $0[.statusMessage] = "no"
        }
      }
    }
    #expect(
      text(denied, .compact)
        == #"{"targetChange":{"targetChangeType":"REMOVE","targetIds":[6,8],"cause":{"code":7,"message":"no"}}}"#
    )
  }

  @Test func wrappersAreTheirNumbers() {
    let query = WireMessage(.structuredQuery) {
      $0[.structuredQueryLimit] = 0
      $0[.structuredQueryFindNearest] = WireMessage(.findNearest) {
        $0[.findNearestDistanceMeasure] = .dotProduct
        $0[.findNearestDistanceThreshold] = 2.5
      }
    }
    #expect(
      text(query, .compact)
        == #"{"limit":0,"findNearest":{"distanceMeasure":"DOT_PRODUCT","distanceThreshold":2.5}}"#)
    let count = WireMessage(.count) { $0[.countUpTo] = 5 }
    #expect(text(count, .compact) == #"{"upTo":"5"}"#)
  }

  @Test func labelsAreAnObject() {
    let listen = WireMessage(.listenRequest) {
      $0[.listenRequestLabels] = [RequestLabel("a", "b"), RequestLabel("c", "d")]
    }
    #expect(text(listen, .compact) == #"{"labels":{"a":"b","c":"d"}}"#)
  }
}
