import StreamKit

/// Removes repeated log entries, and sends the rest to three sinks. The rules can change while the app runs.
public final class LogSplitter: Sendable {
  public struct Entry: Codable, Sendable, Equatable {
    public enum Level: String, Codable, Sendable { case debug, info, error }
    public var level: Level
    public var text: String
    public init(_ level: Level, _ text: String) { (self.level, self.text) = (level, text) }
  }

  public let entries = PassthroughInput<Entry>()
  private let stream: ChangingStream

  public init<C: Clock>(rules: StreamModel = LogSplitter.rules(), clock: C = ContinuousClock()) throws
  where C.Duration == Duration {
    stream = try ChangingStream(
      rules, outputs: ["console", "alerts", "counts"], inputs: ["entries": entries], clock: clock)
  }

  public var console: ChangingStream.Values<Entry> { stream.values(of: Entry.self, output: "console") }
  public var alerts: ChangingStream.Values<String> { stream.values(of: String.self, output: "alerts") }
  public var counts: ChangingStream.Values<[String: Int]> { stream.values(of: [String: Int].self, output: "counts") }

  /// Follows other rules, and returns a report of the state that was kept or lost.
  public func follow(_ rules: StreamModel) async throws -> String? { try await stream.swap(to: rules)?.description }

  /// An entry is repeated if the same text came in the last minute.
  ///
  /// - Parameter alert: Decides which entries are alerts.
  public static func rules(alert: CELExpression = "value.level == 'error'") -> StreamModel {
    func entries(_ operators: [PlacedOperator]) -> StreamModel {
      StreamModel(source: .stream(.init(name: "entries.once")), operators: operators)
    }
    var counts = PlacedOperator.scan(
      [:],
      """
      (acc.map(level, level) + [value.level]).distinct().transformMapEntry(i, level, {
        level: acc[?level].orValue(0) + (level == value.level ? 1 : 0)
      })
      """)
    counts.id = "counts"
    return StreamModel(
      inputs: ["entries": InputDeclaration(type: ["level": "string", "text": "string"])],
      streams: [
        "entries.once": StreamModel(
          source: .input("entries"),
          operators: [
            PlacedOperator(
              .groupBy(.init(key: "value.level + value.text", operators: [.prefix(count: 1)], idle: 60))), .share(),
          ]),
        "console": entries([.filter("value.level != 'debug'")]),
        "alerts": entries([.filter(alert), .map("value.text")]),
        "counts": entries([counts]),
      ],
      source: .stream(.init(name: "console")))
  }
}
