import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

// Small pipelines on which reactive libraries differ: tests of operators show what this library does.

/// The events that operators make of a recording in which `1@20` is a value at 20 ms, `|@20` the end, `#@20` a failure.
func recorded(_ recording: String, _ operators: String) throws -> String {
  let json = """
    {"source": {"record": {"events": [\(recordedEvents(recording))]}}, "operators": [\(operators)]}
    """
  return try run(json, seconds: 0.35).joined(separator: " ")
}

/// The events of the source `record`.
func recordedEvents(_ recording: String) -> String {
  recording.split(separator: " ").map { word in
    let parts = word.split(separator: "@")
    let event =
      switch parts[0] {
      case "|": #""finished": true"#
      case "#": #""failure": "no""#
      default: "\"value\": \(parts[0])"
      }
    return "{\"at\": \((Double(parts[1]) ?? 0) / 1000), \(event)}"
  }
  .joined(separator: ", ")
}

/// The names of the hooks that are called, and the events, in order.
func hooksAndEvents(_ json: String) throws -> [String] {
  let execution = Execution(try stream(json).compile(CompileOptions(host: .any)))
  var texts: [String] = []
  VirtualRun(execution, note: { texts.append($0.name) }).run { event in
    if event.event.isOfTheStream { texts.append(event.event.text()) }
    return true
  }
  #expect(execution.stageCount == 0)
  return texts
}
