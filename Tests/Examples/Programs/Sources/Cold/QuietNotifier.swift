import StreamCombine
import StreamKit

/// Notifies a person, at most three times a minute. In quiet hours only urgent notes are shown, and the rest follows
/// in the morning.
public final class QuietNotifier {
  public struct Note: Codable, Sendable, Equatable {
    public var text: String
    public var isUrgent: Bool
    public init(_ text: String, isUrgent: Bool = false) { (self.text, self.isUrgent) = (text, isUrgent) }
  }

  public let notes = PassthroughInput<Note>()
  @StreamInput public var isQuiet = false
  private var subscription: AnyCancellable?

  private static let rules = """
    {
      "requires": [ "show" ],
      "inputs": {
        "notes": { "type": { "text": "string", "isUrgent": "bool" } },
        "isQuiet": { "type": "bool", "initialValue": false }
      },
      "source": { "input": { "name": "notes" } },
      "operators": [
        { "distinct": { "key": "value.text", "limit": 100, "whenFull": "forgetOldest" } },
        { "delayWhen": { "stream": {
          "source": { "input": { "name": "isQuiet" } },
          "operators": [ { "first": { "expression": "!value || outer.isUrgent" } } ]
        } } },
        { "rateLimit": { "count": 3, "seconds": 60 } },
        { "handleEvents": { "receiveOutput": "show" } }
      ]
    }
    """

  public init(scheduler: some Scheduler, show: @escaping @Sendable (Note) -> Void) throws {
    var services = HostServices()
    services.hook("show", show)
    let model = try StreamModel(checking: Self.rules, options: CompileOptions(services: services))
    let stream = try LiveStream(model, inputs: ["notes": notes, "isQuiet": $isQuiet], services: services)
    subscription = stream.publisher(scheduler: scheduler).failures(.log).sink { _ in }
  }
}
