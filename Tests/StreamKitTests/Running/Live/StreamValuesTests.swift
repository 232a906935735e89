import Foundation
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

@Suite("Values of a stream are awaited")
struct StreamValuesTests {
  @Test("One after the other, to the end")
  func toTheEnd() async throws {
    let model = try StreamModel(parsing: #"{"source": {"range": {"from": 1, "through": 4}}}"#)
    var values: [Int] = []
    for try await value in model.values(of: Int.self) { values.append(value) }
    #expect(values == [1, 2, 3, 4])
  }

  @Test("With demand, a source is read no faster than values are taken; by default, 1,024 values ahead")
  func backPressure() async throws {
    let noted = Recorder<Int>()
    var services = HostServices()
    services.hook("read") { (value: Int) in noted.append(value) }
    let model = try StreamModel(
      parsing: """
        {"source": {"range": {"from": 1, "through": 1000000000}},
         "operators": [{"handleEvents": {"receiveOutput": "read"}}]}
        """)
    var iterator = model.values(of: Int.self, services: services, bufferingPolicy: .demand).makeAsyncIterator()
    #expect(noted.values == [])
    _ = try await iterator.next()
    _ = try await iterator.next()
    #expect(noted.values == [1, 2])
    var ahead = model.values(of: Int.self, services: services).makeAsyncIterator()
    #expect(noted.values.count == 2 + 1_024)
    _ = try await ahead.next()
    #expect(noted.values.count == 2 + 1_025)
  }

  @Test("A policy decides which values are kept while the loop is busy")
  func bufferingPolicies() async throws {
    let expected: [(BufferingPolicy, [Int])] = [
      (.standard, [1, 2, 3, 4, 5]), (.newest(2), [4, 5]), (.oldest(2), [1, 2]), (.demand, [1, 2, 3, 4, 5]),
      (.bounded(0), [1, 2, 3, 4, 5]),
    ]
    for (policy, kept) in expected {
      let input = PassthroughInput<Int>()
      let model = try StreamModel(parsing: #"{"inputs": {"in": {}}, "source": {"input": {"name": "in"}}}"#)
      var iterator = model.values(of: Int.self, inputs: ["in": input], bufferingPolicy: policy).makeAsyncIterator()
      for value in 1...5 { input.send(value) }
      input.finish()
      var values: [Int] = []
      while let value = try await iterator.next() { values.append(value) }
      #expect(values == kept, "\(policy)")
    }
  }

  @Test("By default no value of a property is lost, and one too many is a failure that names the input")
  func everyValue() async throws {
    let text = #"{"inputs": {"in": {"initialValue": -1}}, "source": {"input": {"name": "in"}}}"#
    let model = try StreamModel(parsing: text)
    let input = StreamInput(0)
    var all = model.values(of: Int.self, inputs: ["in": input]).makeAsyncIterator()
    var few = model.values(of: Int.self, inputs: ["in": input], bufferingPolicy: .bounded(4)).makeAsyncIterator()
    for value in 1...100 { input.value = value }
    for value in 0...100 {
      let next = try await all.next()
      #expect(next == value)
    }
    for value in 0..<4 {
      let next = try await few.next()
      #expect(next == value)
    }
    do {
      let next = try await few.next()
      Issue.record("\(String(describing: next)) came in place of a failure")
    } catch let failure as StreamFailure {
      #expect(failure.code == "S409")
      #expect(failure.message == "input 'in' dropped a value, since 4 values wait for the loop that awaits them")
    }
  }

  @Test("A feed that is missing or of the wrong type is an error when the stream is made")
  func feeds() throws {
    let text = """
      {"inputs": {"a": {"type": "int"}, "b": {"initialValue": 1}, "c": {"type": "list(double)"}, "d": {"type": "timestamp"}},
       "source": {"input": {"name": "a"}},
       "operators": [{"merge": {"with": [{"source": {"input": {"name": "b"}}}, {"source": {"input": {"name": "c"}}},
                                         {"source": {"input": {"name": "d"}}}]}}]}
      """
    let model = try StreamModel(parsing: text)
    let (dates, lists) = (PassthroughInput<String>(), PassthroughInput<[Int]>())
    _ = try LiveStream(model, inputs: ["a": PassthroughInput<Int>(), "c": lists, "d": dates])
    _ = try LiveStream(model, inputs: ["a": PassthroughInput<Value>(), "c": lists, "d": dates])
    do {
      _ = try LiveStream(model, inputs: ["a": StreamInput("seven"), "c": PassthroughInput<[String]>()])
      Issue.record("the feeds are accepted")
    } catch {
      #expect(
        error.all.map { "\($0.code.rawValue) \($0.message)" } == [
          "S304 the feed of input 'a' sends values of type string, but its type is int",
          "S304 the feed of input 'c' sends values of type list(string), but its type is list(double)",
          "S303 input 'd' has neither a feed nor an initial value",
        ])
    }
  }

  @Test("The clock provides the time")
  func time() async throws {
    let clock = ManualClock()
    let model = try StreamModel(
      parsing: #"{"stream": [{"value": "late", "operators": [{"delay": {"seconds": 2}}]}]}"#)
    let values = model.values(of: String.self, clock: clock)
    let task = Task {
      var heard: [String] = []
      for try await value in values { heard.append("\(value) at \(clock.now.offset)") }
      return heard
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1.5))
    clock.advance(by: .seconds(0.5))
    let heard = try await task.value
    #expect(heard == ["late at 2.0 seconds"])
  }

  @Test("Canceling the task ends the sequence, and the subscription")
  func cancellation() async throws {
    let input = StreamInput(1)
    let model = try StreamModel(parsing: #"{"inputs": {"in": {}}, "source": {"input": {"name": "in"}}}"#)
    let started = AsyncStream.makeStream(of: Void.self)
    let values = model.values(of: Int.self, inputs: ["in": input])
    let task = Task {
      var iterator = values.makeAsyncIterator()
      started.continuation.yield()
      let awaited = try await iterator.next()
      let afterwards = try await iterator.next()
      return [awaited, afterwards]
    }
    for await _ in started.stream { break }
    task.cancel()
    let heard = try await task.value
    // The current value, if it came before the cancellation.
    #expect(heard == [nil, nil] || heard == [1, nil])
  }

  @Test("An iterator that goes ends its subscription")
  func iteratorGoes() async throws {
    let closed = Recorder<Value>()
    var services = HostServices()
    services.hook("gone", of: { closed.append($0) })
    let model = try StreamModel(
      parsing: #"{"source": {"never": {}}, "operators": [{"handleEvents": {"receiveCancel": "gone"}}]}"#)
    do {
      let iterator = model.values(services: services).makeAsyncIterator()
      #expect(closed.values == [])
      _ = iterator
    }
    #expect(closed.values == [.null])
  }

  @Test("The current value of a property is not lost, whether or not the file declares an initial value")
  func currentValue() async throws {
    for input in [#"{}"#, #"{"initialValue": 0}"#] {
      let model = try StreamModel(parsing: #"{"inputs": {"in": \#(input)}, "source": {"input": {"name": "in"}}}"#)
      var iterator = model.values(of: Int.self, inputs: ["in": StreamInput(7)]).makeAsyncIterator()
      let value = try await iterator.next()
      #expect(value == 7)
    }
  }

  @Test("Values that are sent between two calls of next are kept")
  func keptValues() async throws {
    let input = PassthroughInput<Int>()
    let model = try StreamModel(parsing: #"{"inputs": {"in": {}}, "source": {"input": {"name": "in"}}}"#)
    var iterator = model.values(of: Int.self, inputs: ["in": input]).makeAsyncIterator()
    for value in 1...5 { input.send(value) }
    input.finish()
    var values: [Int] = []
    while let value = try await iterator.next() { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5])
  }

  @Test("A second task that awaits one iterator gets an error")
  func twoTasks() async throws {
    let model = try StreamModel(parsing: #"{"source": {"never": {}}}"#)
    let iterator = Unchecked(model.values(of: Int.self).makeAsyncIterator())
    let tasks = (0..<2).map { _ in
      Task {
        var own = iterator.content
        return try await own.next()
      }
    }
    var failures = 0
    // The iterator that waits is canceled with its task.
    for task in tasks {
      Task {
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
      }
      do {
        _ = try await task.value
      } catch is StreamFailure {
        failures += 1
      }
    }
    #expect(failures == 1)
  }

  @Test("The failure is thrown once, and then the sequence is over")
  func failure() async throws {
    let model = try StreamModel(
      parsing: #"{"stream": [{"value": 1}, {"value": 0}], "operators": [{"map": {"expression": "6 / value"}}]}"#)
    var iterator = model.values(of: Int.self).makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first == 6)
    await #expect(throws: StreamFailure.self) { try await iterator.next() }
    let afterwards = try await iterator.next()
    #expect(afterwards == nil)
  }

  @Test("A value of the wrong type is a failure")
  func misfit() async throws {
    let model = try StreamModel(parsing: #"{"stream": [{"value": 1}, {"value": "two"}]}"#)
    var heard: [String] = []
    do {
      for try await value in model.values(of: Int.self) { heard.append("\(value)") }
    } catch let failure as StreamFailure {
      heard.append("\(failure.code): \(failure.message)")
    }
    #expect(heard == ["1", "S414: a value does not fit Int: expected an integer, found a string"])
  }

  @Test("A model that does not compile throws when it is iterated")
  func uncompilable() async throws {
    let model = try StreamModel(
      json: ["stream": [["value": 1]], "operators": [["map": ["expression": "nobody"]]]] as Value)
    await #expect(throws: StreamFailure.self) {
      for try await _ in model.values() {}
    }
  }

  @Test("A first value that cannot be encoded fails the stream", .timeLimit(.minutes(1)))
  func unencodableFirstValue() async throws {
    let model = try StreamModel(
      parsing: #"{"inputs": {"in": {"initialValue": null}}, "source": {"input": {"name": "in"}}}"#)
    let input = StreamInput(Date(timeIntervalSince1970: .nan))
    let failure = await #expect(throws: StreamFailure.self) {
      for try await _ in model.values(inputs: ["in": input]) {}
    }
    #expect(failure?.code == "S414")
  }
}

/// NB: the test hands an iterator to two tasks, which is the mistake that it is about.
private struct Unchecked<Content>: @unchecked Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}
