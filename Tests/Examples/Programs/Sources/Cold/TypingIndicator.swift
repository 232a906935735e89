import StreamKit

/// The line "Ada is typing" of a chat. A person counts as typing for three seconds after the last key.
@MainActor public final class TypingIndicator {
  public nonisolated let keys = PassthroughInput<String>()
  public let line: ObservableOutput<String>

  private nonisolated static let rules = """
    {
      "inputs": { "keys": { "type": "string" } },
      "source": { "input": { "name": "keys" } },
      "operators": [
        { "groupBy": { "key": "value", "idle": 60, "operators": [
          { "switchMap": { "stream": { "stream": [
            { "value": true }, { "value": false, "operators": [ { "delay": { "seconds": 3 } } ] }
          ] } } },
          { "removeDuplicates": {} },
          { "map": { "expression": "{'name': key, 'isTyping': value}" } }
        ] } },
        { "scan": {
          "initialValue": [],
          "expression": "value.isTyping ? acc + [value.name] : acc.filter(name, name != value.name)"
        } },
        { "map": { "expression": "size(value) == 0 ? '' : size(value) == 1 ? value[0] + ' is typing' \
          : size(value) == 2 ? value.join(' and ') + ' are typing' : string(size(value)) + ' people are typing'" } }
      ]
    }
    """

  public init<C: Clock>(clock: C = ContinuousClock()) throws where C.Duration == Duration {
    let stream = try LiveStream(StreamModel(checking: Self.rules), inputs: ["keys": keys])
    line = ObservableOutput(stream.values(of: String.self, bufferingPolicy: .newest(1), clock: clock))
  }
}
