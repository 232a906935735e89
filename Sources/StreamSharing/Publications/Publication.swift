public import StreamCore

/// The description of a stream file in a repository: the member `streamrun` of its target's `custom`.
public struct Publication: Hashable, Sendable {
  /// The number of the publication of this name, 1 or more. Versions rise.
  public var version: Int
  /// The content ID of the file, such as `sha256:…` (`streamrun hash`).
  public var content: String
  /// The ID of its behavior; nil if it was not computed.
  public var behavior: String?
  /// The names of functions and operators that a client has to provide.
  public var requires: [String]
  /// The values of the file's parameters, by name. A client's own values take precedence.
  public var parameters: [String: Value]
  /// A remark of the publisher.
  public var notes: String?
  /// The time of the publication, in seconds since 1970; nil if it is not stated.
  public var time: Int64?
  /// With a version whose rollout was halted: the reason. Clients do not take it.
  public var halted: String?
  /// Versions that some of the clients take instead of the file, in order of priority.
  public var candidates: [Candidate]

  /// A version that is rolled out.
  public struct Candidate: Hashable, Sendable {
    /// The path of its target.
    public var path: String
    public var rollout: Rollout

    public init(path: String, rollout: Rollout) {
      self.path = path
      self.rollout = rollout
    }
  }

  public init(
    version: Int, content: String, behavior: String? = nil, requires: [String] = [],
    parameters: [String: Value] = [:], notes: String? = nil, time: Int64? = nil, halted: String? = nil,
    candidates: [Candidate] = []
  ) {
    self.version = version
    self.content = content
    self.behavior = behavior
    self.requires = requires
    self.parameters = parameters
    self.notes = notes
    self.time = time
    self.halted = halted
    self.candidates = candidates
  }

  /// Reads the member of a target.
  ///
  /// - Throws: `notFound` if the target is not a stream file, `malformed` if members are missing or have other types.
  ///   Members of later versions are ignored.
  public init(of target: Target) throws(TrustError) {
    let custom = MetadataReader(target.custom, subject: target.path, place: "custom")
    guard let member = try custom.optional("streamrun") else {
      throw TrustError(.notFound, target.path, "the target is not a stream file")
    }
    version = Int(try member["version"].integer(in: 1...Int64(Int32.max)))
    content = try member["content"].text
    behavior = try member.optional("behavior")?.text
    requires = try member.optional("requires")?.names ?? []
    parameters = try PublishedParameters.read(try member.optional("parameters"))
    notes = try member.optional("notes")?.text
    time = try member.optional("time").map { reader throws(TrustError) in try Self.seconds(reader) }
    halted = try member.optional("halted")?.text
    candidates = []
    for candidate in try member.optional("candidates")?.list ?? [] {
      candidates.append(
        Candidate(path: try candidate["path"].text, rollout: try Rollout(try candidate["rollout"])))
    }
  }

  private static func seconds(_ reader: MetadataReader) throws(TrustError) -> Int64 {
    guard let time = Timestamp(rfc3339: try reader.text) else {
      throw reader.problem(nil, "expected a time such as 2026-11-25T12:00:00Z")
    }
    return time.seconds
  }

  /// The member, as `Repository.Addition.custom` takes it.
  public var custom: Value {
    var member = ValueMap([("version", .int(Int64(version))), ("content", .string(content))])
    if let behavior { member = member.setting("behavior", .string(behavior)) }
    if !requires.isEmpty { member = member.setting("requires", .list(requires.map(Value.string))) }
    if !parameters.isEmpty { member = member.setting("parameters", PublishedParameters.json(parameters)) }
    if let notes { member = member.setting("notes", .string(notes)) }
    if let time { member = member.setting("time", .string(Timestamp(seconds: time).rfc3339)) }
    if let halted { member = member.setting("halted", .string(halted)) }
    if !candidates.isEmpty {
      member = member.setting(
        "candidates",
        .list(candidates.map { ["path": .string($0.path), "rollout": $0.rollout.json] }))
    }
    return ["streamrun": .map(member)]
  }
}
