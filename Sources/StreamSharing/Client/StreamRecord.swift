internal import StreamCore

/// The memory of a client about a stream, as one file: the versions that it can run, and those that failed.
///
/// One file is replaced as a whole, so that a process that is killed leaves the old or the new record.
struct StreamRecord: Hashable, Sendable {
  /// A version that can run without the repository.
  struct Version: Hashable, Sendable {
    var number: Int
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

  /// A version that has to prove itself, and its progress in all processes so far: a new one, or the good one after a
  /// failure. Written before it starts.
  struct Trial: Hashable, Sendable {
    var version: Version
    /// Number of processes that have crashed during its probation.
    var crashes = 0
    /// Number of runs in a row that it has ended with a failure since it was good.
    var failures = 0
    /// Time since its first value for which it has run without a failure, in milliseconds.
    var milliseconds: Int64 = 0
    /// Number of values that it has published without a failure.
    var values = 0

    /// Whether a value has reached it.
    var hasValue: Bool { milliseconds > 0 || values > 0 }
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

  var good: Version?
  /// The version that was good before, to which the client returns if the good one fails at each start.
  var former: Version?
  var trial: Trial?
  /// The newest last.
  private(set) var refused: [Refused] = []

  /// Maximum number of refused versions that are remembered.
  private static let refusedLimit = 100

  init() {}

  /// Whether the version on trial is the good one, without another one at hand.
  var isGoodOnTrial: Bool { trial != nil && trial?.version.content == good?.content }

  mutating func refuse(_ refusal: Refused) {
    refused.removeAll { $0.content == refusal.content }
    refused.append(refusal)
    refused.removeFirst(max(0, refused.count - Self.refusedLimit))
  }

  /// Puts the good version on probation again, with the version before it at hand, if it has failed at each of the last
  /// starts.
  ///
  /// - Parameters:
  ///   - attempts: Number of starts.
  ///   - hasFallback: Whether there is a version to return to without `former`.
  /// - Returns: Whether it is on probation.
  mutating func demoteGood(after attempts: Int, hasFallback: Bool) -> Bool {
    guard isGoodOnTrial, let good, let trial, trial.failures + trial.crashes >= attempts, former != nil || hasFallback
    else { return false }
    self.trial?.version = good
    (self.good, former) = (former, nil)
    return true
  }
}

// The form in the cache.
extension StreamRecord {
  init(_ bytes: [UInt8], of name: String) throws(TrustError) {
    let record = try MetadataReader(bytes: bytes, subject: name)
    good = try record.optional("good").map(Version.init)
    former = try record.optional("former").map(Version.init)
    // A record of an earlier program has no text of a version on trial.
    if let trial = try record.optional("trial"), try trial.optional("text") != nil {
      self.trial = Trial(
        version: try Version(trial), crashes: try Self.count("crashes", of: trial),
        failures: try Self.count("failures", of: trial),
        milliseconds: try trial.optional("milliseconds")?.integer(in: 0 ... .max) ?? 0,
        values: try Self.count("values", of: trial))
    }
    for entry in try record.optional("refused")?.list ?? [] {
      refused.append(
        Refused(
          version: try Version.number(of: entry), content: try entry["content"].text,
          reasons: try entry["reasons"].list.map { reason throws(TrustError) in try reason.text }))
    }
  }

  private static func count(_ member: String, of trial: MetadataReader) throws(TrustError) -> Int {
    Int(try trial.optional(member)?.integer(in: 0...Int64(Int32.max)) ?? 0)
  }

  var bytes: [UInt8] {
    var map = ValueMap()
    if let good { map = map.setting("good", .map(good.json)) }
    if let former { map = map.setting("former", .map(former.json)) }
    if let trial {
      map = map.setting(
        "trial",
        .map(
          trial.version.json.setting("crashes", .int(Int64(trial.crashes)))
            .setting("failures", .int(Int64(trial.failures))).setting("milliseconds", .int(trial.milliseconds))
            .setting("values", .int(Int64(trial.values)))))
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

extension StreamRecord.Version {
  fileprivate init(_ member: MetadataReader) throws(TrustError) {
    number = try Self.number(of: member)
    content = try member["content"].text
    path = try member["path"].text
    expires = try member["expires"].integer(in: 0 ... .max)
    text = try member["text"].text
    parameters = try PublishedParameters.read(try member.optional("parameters"))
  }

  fileprivate static func number(of member: MetadataReader) throws(TrustError) -> Int {
    Int(try member["version"].integer(in: 0...Int64(Int32.max)))
  }

  fileprivate var json: ValueMap {
    ValueMap([
      ("version", .int(Int64(number))), ("content", .string(content)), ("path", .string(path)),
      ("expires", .int(expires)), ("text", .string(text)),
    ]).setting("parameters", PublishedParameters.json(parameters))
  }
}
