internal import CLibrary
internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The figures of a run as JSON: the response to a client.
struct StatusReport {
  private var members: [(String, Value)] = []

  init(_ figures: RunFigures, of streamName: String) {
    add("stream", .string(streamName))
    add("version", .string(ProgramVersion.text))
    add("process", .int(Int64(getpid())))
    add("uptime", .double(figures.uptime))
    add("time", .double(figures.time.seconds))
    add("eventTime", figures.eventTime.map { .string($0.rfc3339) })
    add("lag", figures.lag.map(Value.double))
    add(
      "inputs",
      .list(
        ValueList(
          figures.inputs.map { input in
            [
              "name": .string(input.name), "values": .int(Int64(input.values)),
              "bytesBehind": input.bytesBehind.map { .int(Int64($0)) } ?? .null, "isDone": .bool(input.isDone),
            ]
          })))
    add(
      "outputs",
      .list(
        ValueList(figures.outputs.map { ["name": .string($0.name), "values": .int(Int64($0.values))] as Value })))
    add("skippedLines", .int(Int64(figures.skippedLines)))
    add("skippedValues", .int(Int64(figures.skippedValues)))
    add("lateValues", figures.late.map { .int(Int64($0)) })
    add("heldValues", figures.held.map { .int(Int64($0)) })
    add(
      "dropped",
      .list(
        ValueList(
          figures.drops.map { drop in
            [
              "operator": .string(drop.input ?? drop.name), "pointer": .string(drop.pointer.description),
              "reason": .string(drop.reason.rawValue), "values": .int(Int64(drop.count)),
            ]
          })))
    add("calls", .int(figures.calls))
    add("callsWaiting", .int(Int64(figures.openCalls)))
    add("memory", figures.residentBytes.map { .int(Int64($0)) })
    add("timers", .int(Int64(figures.timers)))
    add(
      "savedState",
      figures.counters.savedState.map { saved in
        [
          "age": .double(figures.counters.clock.now.seconds - saved.time.seconds), "seconds": .double(saved.seconds),
          "bytes": .int(Int64(saved.bytes)), "count": .int(Int64(saved.count)),
          "failedCount": .int(Int64(figures.counters.failedSaveCount)),
        ]
      })
  }

  /// Adds the operators.
  ///
  /// - Parameters:
  ///   - counts: The number of values that they have published; nil if they are not counted.
  ///   - recent: Their newest events; nil if the client has not asked for them.
  mutating func add(_ operators: OperatorFigures, _ counts: [JSONPointer: Int]?, _ recent: [JSONPointer: Value]?) {
    add(
      "operators",
      .list(
        ValueList(
          operators.entries.map { entry in
            var members: [(Value, Value)] = [
              ("id", (entry.place?.id).map(Value.string) ?? .null), ("name", .string(entry.name)),
              ("pointer", .string(entry.pointer.description)),
              ("values", counts?[entry.pointer].map { .int(Int64($0)) } ?? .null),
              ("streams", .int(Int64(entry.streams))), ("held", .int(Int64(entry.held))),
              ("bytes", .int(Int64(entry.bytes))), ("timers", .int(Int64(entry.timers))),
              ("estimated", .bool(entry.isEstimate)),
            ]
            if let recent { members.append(("recent", recent[entry.pointer] ?? [])) }
            return .map(ValueMap(members))
          })))
  }

  private mutating func add(_ name: String, _ value: Value?) { members.append((name, value ?? .null)) }

  var value: Value { .map(ValueMap(members.map { (.string($0), $1) })) }
}
