public import FirestoreStore
public import FirestoreTransport
import RulesEval
public import RulesLang

/// The settings of a server.
public struct ServerConfiguration: Sendable {
  /// Default rules of the databases of every project, by database name.
  public var rules: [DatabaseName: RulesFile] = [:]
  /// Default rules of all other databases; nil for open rules.
  public var generalRules: RulesFile?
  /// The documents that databases begin with.
  public var documents = Seed(at: .epoch)
  /// The only project that is served; nil for any.
  public var onlyProject: String?
  /// True if messages of denials also explain, after the official line, what would have to be different.
  public var explainsDenials = false
  /// True if decided requests are kept for `takeDecisions()`, not only counted.
  public var keepsDecisions = true
  /// Writes coverage as the official emulator's JSON, for `…:ruleCoverage`; nil to answer 404.
  public var coverageReport: CoverageText?
  /// Writes coverage as a page, for `…:ruleCoverage.html`; nil to answer 404.
  public var coveragePage: CoverageText?
  /// Writes exports, for `:export`; nil to answer 404.
  public var exportWriter: ExportCall.Writer?
  /// Reads exports, for `:import`; nil to answer 404.
  public var importReader: ImportCall.Reader?
  /// Writes exports in the format of the Firebase CLI, for the hub; nil to answer 404.
  public var hubExporter: Hub.Exporter?
  /// Selects the HTTP/1.1 requests that the owner answers (`takePassedRequests()`); nil for none.
  public var passesOn: (@Sendable (HTTPRequest) -> Bool)?
  /// The address of the server, for the hub. It is not needed for requests with a `Host` header.
  public var address: ServerAddress?
  /// Seed of the IDs of documents that are created without one; it should be different at each start.
  public var seed: UInt64 = 0
  /// Maximum bytes that wait on a connection for a client that does not read; above it the connection ends.
  /// The default is several results of the largest query that SDKs accept.
  public var queuedBytes = 256 << 20
  /// Limits of connections.
  public var limits = TransportLimits.standard

  /// Creates a configuration without rules.
  public init() {}
}

/// The identity of a client's connection: a number that the owner chooses.
public struct ConnectionID: Hashable, Sendable {
  /// The number.
  public let number: UInt64

  /// Creates the ID of a number.
  public init(_ number: UInt64) { self.number = number }
}
