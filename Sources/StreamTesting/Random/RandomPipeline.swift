public import StreamCore
internal import StreamEngine

/// A randomly generated stream with the events to feed.
///
/// Most streams consist of operators with bounded state over numbers or records; the others also contain joins, keys,
/// timers, inner streams and the examples of the catalog. Values include overflows, nulls, missing fields and values of
/// other types; choices have equal and constant arms; lengths are on both sides of every batch size. A seed reproduces
/// the stream.
public struct RandomPipeline: Sendable {
  /// The origin of the values.
  public enum Feed: Sendable {
    /// A source in the stream file: a range or a list.
    case source
    /// Values, ends and instants, sent by the host.
    case events([InputEvent])
    /// Records sent by the host.
    case readings([Reading])
  }

  /// A record of the host.
  public struct Reading: Sendable {
    public var isOn: Bool
    public var t: Int
    public var z: Double

    public var value: Value { ["isOn": .bool(isOn), "t": .int(Int64(t)), "z": .double(z)] }

    /// The type of the record, as it is written in a stream file.
    static let type: Value = ["isOn": "bool", "t": "int", "z": "double"]
  }

  /// A kind of operator that only some pipelines contain.
  public enum Flavor: String, CaseIterable, Sendable {
    case joins, keys, timers, innerStreams, machines
  }

  public let seed: UInt64
  /// The stream file.
  public internal(set) var model: Value
  public internal(set) var feed: Feed
  /// Number of values.
  public let size: Int
  public let flavors: [Flavor]

  /// - Parameters:
  ///   - seed: The seed of the random numbers.
  ///   - limit: Maximum number of values, about.
  public init(seed: UInt64, atMost limit: Int = 2_000) {
    var maker = PipelineMaker(seed: seed, limit: limit)
    self.seed = seed
    let source = maker.source()
    model = maker.model(source)
    feed = source.feed
    size = source.size
    flavors = maker.flavors
  }

  /// A stream that feeds itself.
  package init(model: Value) {
    (seed, size, flavors, feed, self.model) = (0, 0, [], .source, model)
  }

  /// Whether finite demand changes neither the values nor their order.
  package var isLinear: Bool { flavors.isEmpty }

  /// The events of a host that sends values; nil for a source in the stream file.
  var events: [InputEvent]? {
    switch feed {
    case .source: return nil
    case .events(let events): return events
    case .readings(let readings):
      let values = readings.map { InputEvent(.value($0.value), to: 0, at: .zero) }
      return values + [InputEvent(.finished, to: 0, at: .zero)]
    }
  }
}
