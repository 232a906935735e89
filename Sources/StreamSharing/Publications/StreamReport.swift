public import StreamCore

/// A report of a client to a hub about a version that it runs: that it works (ACK), or why it does not (NACK).
public struct StreamReport: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The version runs on probation, and no value has reached it yet.
    case inconclusive
    /// The version runs on probation, and has had values.
    case running
    /// The version has passed its probation.
    case good
    /// The version could not be started, or has failed: during its probation, so that the client has gone back to the last
    /// good one, or later, so that the run has ended.
    case failed
  }

  /// The opaque ID of the client.
  public var client: String
  public var stream: StreamName
  /// The version, 1 or more.
  public var version: Int
  /// The content ID of the file.
  public var content: String
  public var state: State
  /// With `failed`: the reasons, as messages for people.
  public var diagnostics: [String]
  /// The names of the client's attributes, without their values: publishers can check conditions of rollouts against
  /// them.
  public var attributes: [String]

  public init(
    client: String, stream: StreamName, version: Int, content: String, state: State, diagnostics: [String] = [],
    attributes: [String] = []
  ) {
    self.client = client
    self.stream = stream
    self.version = version
    self.content = content
    self.state = state
    self.diagnostics = diagnostics
    self.attributes = attributes
  }

  /// Reads a report.
  ///
  /// - Throws: `malformed` if members are missing, have other types, or are too long: at most 200 bytes for texts, 20
  ///   diagnostics and 50 attributes. The first 1,000 bytes of each diagnostic are kept.
  public init(_ json: Value) throws(TrustError) {
    let report = MetadataReader(json, subject: "report", place: "")
    client = try Self.text("client", of: report)
    stream = try StreamName(try Self.text("stream", of: report))
    version = Int(try report["version"].integer(in: 1...Int64(Int32.max)))
    content = try Self.text("content", of: report)
    let word = try report["state"].text
    guard let state = State(rawValue: word) else {
      throw report.problem("state", "'\(word)' is not one of \(State.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.state = state
    diagnostics = []
    for text in try report.optional("diagnostics")?.list.prefix(20) ?? [] {
      diagnostics.append(String(decoding: try text.text.utf8.prefix(1_000), as: UTF8.self))
    }
    attributes = []
    for name in try report.optional("attributes")?.names.prefix(50) ?? [] where name.utf8.count <= 200 {
      attributes.append(name)
    }
  }

  private static func text(_ member: String, of report: MetadataReader) throws(TrustError) -> String {
    let text = try report[member].text
    guard text.utf8.count <= 200 else { throw report.problem(member, "more than 200 bytes") }
    return text
  }

  /// The report as an object.
  public var json: Value {
    var map = ValueMap([
      ("client", .string(client)), ("stream", .string(stream.description)), ("version", .int(Int64(version))),
      ("content", .string(content)), ("state", .string(state.rawValue)),
    ])
    if !diagnostics.isEmpty { map = map.setting("diagnostics", .list(diagnostics.map(Value.string))) }
    if !attributes.isEmpty { map = map.setting("attributes", .list(attributes.map(Value.string))) }
    return .map(map)
  }
}
