import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Small pipelines on which the libraries of the field differ: what this one does, and the option that does what others
/// do. `value@milliseconds`, `|` the end, `#` a failure.
@Suite struct SamePipelineTests {
  /// What a recording says after these operators. `1@20` is a value, `|@20` the end, `#@20` a failure.
  private func said(_ recording: String, _ operators: String, besides members: String = "") throws -> String {
    let json = """
      {\(members)"source": {"record": {"events": [\(Self.events(recording))]}}, "operators": [\(operators)]}
      """
    return try run(json, seconds: 0.35).map { $0.hasPrefix("#") ? "#" + $0.drop { $0 != "@" } : $0 }
      .joined(separator: " ")
  }

  private static func events(_ recording: String) -> String {
    recording.split(separator: " ").map { word in
      let parts = word.split(separator: "@")
      let what =
        switch parts[0] {
        case "|": #""finished": true"#
        case "#": #""failure": "no""#
        default: "\"value\": \(parts[0])"
        }
      return "{\"at\": \((Double(parts[1]) ?? 0) / 1000), \(what)}"
    }
    .joined(separator: ", ")
  }

  /// The names of hooks that are told, and what is published, in order.
  private func told(_ json: String) throws -> [String] {
    let execution = Execution(try stream(json).compile(CompileOptions(host: .any)))
    var texts: [String] = []
    VirtualRun(execution, note: { texts.append($0.name) }).run { event in
      switch event.event {
      case .value(let value): texts.append(JSONWriter.compact(value))
      case .finished: texts.append("|")
      case .failure: texts.append("#")
      default: break
      }
      return true
    }
    #expect(execution.stageCount == 0)
    return texts
  }

  // MARK: Time

  @Test("debounce drops the value that waits at the end, or flushes it") func debounce() throws {
    let dropped = try said("1@0 |@0", #"{"debounce": {"seconds": 0.1}}"#)
    let flushed = try said("1@0 |@0", #"{"debounce": {"seconds": 0.1, "onFinish": "flush"}}"#)
    #expect(dropped == "|@0")
    #expect(flushed == "1@0 |@0")
  }

  @Test("delay delays a failure too, or passes it at once") func delayOfFailures() throws {
    let delayed = try said("1@0 #@0", #"{"delay": {"seconds": 0.1}}"#)
    let immediate = try said("1@0 #@0", #"{"delay": {"seconds": 0.1, "failures": "immediate"}}"#)
    #expect(delayed == "1@100 #@100")
    #expect(immediate == "#@0")
  }

  @Test("delay delays the end of an empty stream, or passes it when nothing waits") func delayOfNothing() throws {
    let delayed = try said("|@0", #"{"delay": {"seconds": 0.1}}"#)
    let immediate = try said("|@0", #"{"delay": {"seconds": 0.1, "finish": "immediate"}}"#)
    #expect(delayed == "|@100")
    #expect(immediate == "|@0")
  }

  @Test("throttle publishes the newest value at the end of the while, then ends") func throttleLatest() throws {
    let both = try said("1@0 2@20 |@20", #"{"throttle": {"seconds": 0.1}}"#)
    let leading = try said("1@0 2@20 |@20", #"{"throttle": {"seconds": 0.1, "edges": "leading"}}"#)
    #expect(both == "1@0 2@100 |@100")
    #expect(leading == "1@0 |@20")
  }

  @Test("throttle with `latest` false publishes the first value of the while, late") func throttleFirst() throws {
    let heard = try said("1@0 2@10 3@20 |@20", #"{"throttle": {"seconds": 0.1, "latest": false}}"#)
    #expect(heard == "1@0 2@100 |@100")
  }

  @Test("throttle publishes what waits by its timer, not with the next value") func throttleAfterPause() throws {
    let heard = try said("1@0 2@20 3@320 |@320", #"{"throttle": {"seconds": 0.1}}"#)
    #expect(heard == "1@0 2@100 3@320 |@320")
  }

  @Test("timeout finishes, or fails with the error given") func timeout() throws {
    let finished = try said("1@300", #"{"timeout": {"seconds": 0.05}}"#)
    let failed = try said("1@300", #"{"timeout": {"seconds": 0.05, "error": "late"}}"#)
    #expect(finished == "|@50")
    #expect(failed == "#@50")
  }

  @Test("collecting by time says nothing of a while without values, or publishes empty lists") func silence() throws {
    let silent = try said("|@310", #"{"collectTime": {"seconds": 0.1}}"#)
    let empty = try said("|@310", #"{"collectTime": {"seconds": 0.1, "emitEmpty": true}}"#)
    #expect(silent == "|@310")
    #expect(empty == "[]@100 []@200 []@300 []@310 |@310")
  }

  // MARK: Several streams

  @Test("combineLatest stays open until all have finished, even where nothing can come") func deadCombination() throws {
    let other = #"{"source": {"record": {"events": [{"at": 0.01, "value": 1}, {"at": 0.03, "finished": true}]}}}"#
    let heard = try said("|@0", "{\"combineLatest\": {\"with\": [\(other)]}}")
    #expect(heard == "|@30")
  }

  @Test("zip finishes as soon as no pair is possible any more") func zipEnds() throws {
    let other = #"{"source": {"record": {"events": [{"at": 0.01, "value": 9}, {"at": 0.02, "value": 8}]}}}"#
    let heard = try said("1@0 |@0", "{\"zip\": {\"with\": [\(other)]}}")
    #expect(heard == "[1,9]@10 |@10")
  }

  @Test("A diamond publishes every combination, or the last one of each instant") func diamond() throws {
    func json(_ atomic: String) -> String {
      """
      {"streams": {"s": {"source": {"record": {"events": [\(Self.events("1@0 2@10 |@20"))]}},
                         "operators": [{"share": {}}]},
                   "tens": {"source": {"stream": {"name": "s"}}, "operators": [{"map": {"expression": "value * 10"}}]}},
       "source": {"stream": {"name": "s"}},
       "operators": [{"combineLatest": {"with": ["tens"], "expression": "values[0] + values[1]"\(atomic)}}]}
      """
    }
    let all = try run(json(""))
    let atomic = try run(json(#", "atomic": true"#))
    #expect(all == ["11@0", "12@10", "22@10", "|@20"])
    #expect(atomic == ["11@0", "22@10", "|@20"])
  }

  @Test("What is sent while something is delivered comes after it, for all in order") func reentrancy() throws {
    let json = """
      {"inputs": {"i": {}}, "streams": {
         "B": {"source": {"input": {"name": "i"}}, "operators": [{"map": {"expression": "'B' + string(value)"}}]}},
       "source": {"input": {"name": "i"}},
       "operators": [{"map": {"expression": "'A' + string(value)"}}, {"merge": {"with": ["B"]}}]}
      """
    let execution = Execution(try stream(json).compile())
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    var heard: [Value] = []
    while let event = execution.next() {
      if case .value(let value) = event { heard.append(value) }
      if event == .value("A1") { execution.send(2, to: 0, at: .zero) }
    }
    #expect(heard == ["A1", "B1", "A2", "B2"])
  }

  @Test("Who subscribes to a shared stream after its end hears the end, or begins anew") func shareAfterTheEnd() throws
  {
    func json(_ share: String) -> String {
      """
      {"streams": {"s": {"stream": [{"value": 1}],
                         "operators": [{"handleEvents": {"receiveSubscription": "subscribed"}}, {"share": \(share)}]}},
       "source": {"stream": {"name": "s"}}, "operators": [{"append": {"with": ["s"]}}]}
      """
    }
    let once = try told(json("{}"))
    let anew = try told(json(#"{"resetOnFinish": true}"#))
    #expect(once == ["subscribed", "1", "|"])
    #expect(anew == ["subscribed", "1", "subscribed", "1", "|"])
  }

  @Test("An inner stream that fails cancels upstream too") func innerFailure() throws {
    let heard = try told(
      """
      {"source": {"timer": {"every": 0.1}},
       "operators": [{"handleEvents": {"receiveCancel": "canceled"}},
                     {"flatMap": {"stream": {"source": {"fail": {"error": "no"}}}}}]}
      """)
    #expect(heard == ["canceled", "#"])
  }

  // MARK: Ends

  @Test("first of an empty stream finishes; failIfEmpty fails") func firstOfNothing() throws {
    let finished = try said("|@0", #"{"first": {}}"#)
    let failed = try said("|@0", #"{"first": {}}, {"failIfEmpty": {}}"#)
    #expect(finished == "|@0")
    #expect(failed == "#@0")
  }

  @Test("output at an index that is never reached finishes") func outputBeyondTheEnd() throws {
    let heard = try said("1@0 2@0 |@0", #"{"output": {"at": 5}}"#)
    #expect(heard == "|@0")
  }

  @Test("retry counts further attempts") func retryCounts() throws {
    let heard = try told(
      """
      {"source": {"fail": {"error": "no"}},
       "operators": [{"handleEvents": {"receiveSubscription": "subscribed"}}, {"retry": {"count": 2}}]}
      """)
    #expect(heard == ["subscribed", "subscribed", "subscribed", "#"])
  }

  @Test("prefix of 0 subscribes to nothing") func prefixOfNothing() throws {
    let heard = try told(
      """
      {"source": {"never": {}},
       "operators": [{"handleEvents": {"receiveSubscription": "subscribed"}}, {"prefix": {"count": 0}}]}
      """)
    #expect(heard == ["|"])
  }
}
