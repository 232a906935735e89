internal import StreamCore

/// The memory of a client about a stream, as one file: the last good version, and the versions that failed.
///
/// One file is replaced as a whole, so that a process that is killed leaves the old or the new record.
struct StreamRecord: Hashable, Sendable {
  /// A version that ran without a failure.
  struct Good: Hashable, Sendable {
    var version: Int
    /// The identity of the publication, against which the text is checked.
    var content: String
    /// The path of its target.
    var path: String
    /// The time until which the publisher has signed it, in seconds since 1970.
    var expires: Int64
    /// The text of the stream file.
    var text: String
    /// The published values of its parameters.
    var parameters: [String: Value]
  }

  /// A version on probation, and its progress in all processes so far. Written before the version starts.
  struct Trial: Hashable, Sendable {
    var version: Int
    var content: String
    /// Number of processes that have crashed during its probation.
    var crashes = 0
    /// Time for which it has run without a failure, in milliseconds.
    var milliseconds: Int64 = 0
    /// Number of values that it has published without a failure.
    var values = 0
  }

  /// A version that is not tried again until its number rises.
  struct Refused: Hashable, Sendable {
    var version: Int
    var content: String
    var reasons: [String]

    /// Whether a publication is this version, or an earlier one with the same content.
    func includes(_ publication: Publication) -> Bool {
      content == publication.identity && publication.version <= version
    }
  }

  var good: Good?
  var trial: Trial?
  /// The newest last.
  private(set) var refused: [Refused] = []

  /// Maximum number of refused versions that are remembered.
  private static let refusedLimit = 100

  init() {}

  mutating func refuse(_ refusal: Refused) {
    refused.removeAll { $0.content == refusal.content }
    refused.append(refusal)
    refused.removeFirst(max(0, refused.count - Self.refusedLimit))
  }

  // MARK: Coding

  init(_ bytes: [UInt8], of name: String) throws(TrustError) {
    let record = try MetadataReader(bytes: bytes, subject: name)
    if let good = try record.optional("good") {
      self.good = Good(
        version: try Self.version(of: good), content: try good["content"].text, path: try good["path"].text,
        expires: try good["expires"].integer(in: 0 ... .max), text: try good["text"].text,
        parameters: try PublishedParameters.read(try good.optional("parameters")))
    }
    if let trial = try record.optional("trial") {
      self.trial = Trial(
        version: try Self.version(of: trial), content: try trial["content"].text,
        crashes: Int(try trial.optional("crashes")?.integer(in: 0...1_000_000) ?? 0),
        milliseconds: try trial.optional("milliseconds")?.integer(in: 0 ... .max) ?? 0,
        values: Int(try trial.optional("values")?.integer(in: 0...Int64(Int32.max)) ?? 0))
    }
    for entry in try record.optional("refused")?.list ?? [] {
      refused.append(
        Refused(
          version: try Self.version(of: entry), content: try entry["content"].text,
          reasons: try entry["reasons"].list.map { reason throws(TrustError) in try reason.text }))
    }
  }

  private static func version(of member: MetadataReader) throws(TrustError) -> Int {
    Int(try member["version"].integer(in: 0...Int64(Int32.max)))
  }

  var bytes: [UInt8] {
    var map = ValueMap()
    if let good {
      map = map.setting(
        "good",
        [
          "version": .int(Int64(good.version)), "content": .string(good.content), "path": .string(good.path),
          "expires": .int(good.expires), "text": .string(good.text),
          "parameters": PublishedParameters.json(good.parameters),
        ])
    }
    if let trial {
      map = map.setting(
        "trial",
        [
          "version": .int(Int64(trial.version)), "content": .string(trial.content),
          "crashes": .int(Int64(trial.crashes)), "milliseconds": .int(trial.milliseconds),
          "values": .int(Int64(trial.values)),
        ])
    }
    let refused = refused.map { entry -> Value in
      [
        "version": .int(Int64(entry.version)), "content": .string(entry.content),
        "reasons": .list(entry.reasons.map(Value.string)),
      ]
    }
    return Array(JSONWriter.compact(.map(map.setting("refused", .list(refused)))).utf8)
  }
}
