import StreamCombine
import StreamKit

/// Counts the seconds of a workout in each heart rate zone. A pause of a minute ends a workout.
public final class HeartSessions {
  public let beats = PassthroughInput<Int>()
  /// The finished workouts: the seconds in each zone.
  public private(set) var sessions: [[String: Double]] = []
  private var subscription: AnyCancellable?

  private static let rules = """
    {
      "inputs": { "beats": { "type": "int" } },
      "streams": { "beats.shared": { "source": { "input": { "name": "beats" } }, "operators": [ { "share": {} } ] } },
      "source": { "stream": { "name": "beats.shared" } },
      "operators": [
        { "measureInterval": { "withValue": true } },
        { "filter": { "expression": "value.interval < 60.0" } },
        { "map": { "expression": "{'zone': value.value < 120 ? 'easy' : value.value < 150 ? 'steady' : 'hard', \
          'seconds': value.interval}" } },
        { "window": {
          "stream": {
            "source": { "stream": { "name": "beats.shared" } }, "operators": [ { "debounce": { "seconds": 60 } } ]
          },
          "operators": [
            { "groupBy": { "key": "value.zone", "operators": [
              { "reduce": { "initialValue": 0.0, "expression": "acc + value.seconds" } },
              { "map": { "expression": "[key, value]" } }
            ] } },
            { "collectMap": { "key": "value[0]", "expression": "value[1]" } }
          ]
        } }
      ]
    }
    """

  public init(scheduler: some Scheduler) throws {
    let stream = try LiveStream(StreamModel(checking: Self.rules), inputs: ["beats": beats])
    subscription = stream.publisher(of: [String: Double].self, scheduler: scheduler)
      .failures(.log).sink { [weak self] in self?.sessions.append($0) }
  }
}
