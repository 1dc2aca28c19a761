public import FirestoreStore
public import FirestoreTransport
import RulesEval
public import RulesLang

/// Settings that a server is started with.
public struct ServerConfiguration: Sendable {
  /// Rules of a database of every project, by its name, until others are uploaded.
  public var rules: [DatabaseName: RulesFile] = [:]
  /// Rules of all other databases; nil for open rules.
  public var generalRules: RulesFile?
  /// The documents that databases begin with.
  public var documents = Seed(at: .epoch)
  /// The only project that may be used; nil for any.
  public var onlyProject: String?
  /// True if messages of denials go on behind the official line with what would have to be otherwise.
  public var explainsDenials = false
  /// True if decided requests are kept for `takeDecisions()`, and not only counted.
  public var keepsDecisions = true
  /// Writes coverage as the official emulator's JSON, for `…:ruleCoverage`; nil if that is not found.
  public var coverageReport: CoverageText?
  /// Writes coverage as a page, for `…:ruleCoverage.html`; nil if that is not found.
  public var coveragePage: CoverageText?
  /// Writes exports, for `:export`; nil if that is not found.
  public var exportWriter: ExportCall.Writer?
  /// Reads exports, for `:import`; nil if that is not found.
  public var importReader: ImportCall.Reader?
  /// Writes exports in the form of the Firebase CLI, for the hub; nil if that is not found.
  public var hubExporter: Hub.Exporter?
  /// Selects HTTP/1.1 requests, by any property, that the owner answers instead of the server
  /// (`takePassedRequests()`); nil for none.
  public var passesOn: (@Sendable (HTTPRequest) -> Bool)?
  /// The address of the server, for the hub; requests that name their host do not need it.
  public var address: ServerAddress?
  /// Seed of the IDs of documents that are created without one: another number at each start.
  public var seed: UInt64 = 0
  /// Bytes that wait on one connection for a client that does not read; beyond them the connection ends.
  /// Some results of the largest query that SDKs take.
  public var queuedBytes = 256 << 20
  /// Limits of connections.
  public var limits = TransportLimits.standard

  /// Makes a configuration without rules.
  public init() {}
}

/// A connection of a client, by a number that its owner chooses.
public struct ConnectionID: Hashable, Sendable {
  /// The number.
  public let number: UInt64

  /// Makes the ID of a number.
  public init(_ number: UInt64) { self.number = number }
}
