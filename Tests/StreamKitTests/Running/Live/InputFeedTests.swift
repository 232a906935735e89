import StreamCore
import StreamEngine
import StreamKit
import Testing

#if canImport(Observation)
import Observation
#endif

@Suite("Inputs of an app")
struct InputFeedTests {
  final class Profile {
    @StreamInput var name = "Ada"
  }

  @Test("A property's observers receive the present value and every new one until their token is released")
  func observing() {
    let profile = Profile()
    let heard = Recorder<String>()
    var token: StreamToken? = profile.$name.observe { heard.append($0) }
    profile.name = "Grace"
    profile.name = "Grace"
    #expect(heard.values == ["Ada", "Grace", "Grace"])
    token?.cancel()
    profile.name = "Edsger"
    token = nil
    #expect(profile.name == "Edsger")
    #expect(heard.values.count == 3)
    _ = token
  }

  #if canImport(Observation)
  @Test("Observation reports the next change of a value that was read, as views need it")
  func changesAreTracked() {
    let profile = Profile()
    let changes = Recorder<String>()
    let shown = withObservationTracking {
      profile.name
    } onChange: {
      changes.append("a change")
    }
    profile.name = "Grace"
    profile.$name.send("Edsger")
    #expect(shown == "Ada")
    #expect(changes.values == ["a change"])
    #expect(profile.name == "Edsger")
  }
  #endif

  @Test("A released token ends its observation, and the others go on")
  func releasing() {
    let profile = Profile()
    let (first, second) = (Recorder<String>(), Recorder<String>())
    let kept = profile.$name.observe { first.append($0) }
    do { _ = profile.$name.observe { second.append($0) } }
    profile.name = "Grace"
    #expect(first.values == ["Ada", "Grace"])
    #expect(second.values == ["Ada"])
    _ = kept
  }

  @Test("A value set during a notification comes after it, in order for all observers")
  func nestedSetting() {
    let input = StreamInput(0)
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let tokens = [
      input.observe { value in
        first.append(value)
        if value < 3 { input.send(value + 1) }
      },
      input.observe { second.append($0) },
    ]
    #expect(first.values == [0, 1, 2, 3])
    input.send(10)
    #expect(second.values == [3, 10])
    _ = tokens
  }

  @Test("An observer sends more values than wait at most", .timeLimit(.minutes(1)))
  func sendingMany() {
    let (input, received) = (PassthroughInput<Int>(), Recorder<Int>())
    let token = input.observe { value in
      received.append(value)
      if value == 0 { for number in 1...2_000 { input.send(number) } }
    }
    input.send(0)
    #expect(received.values == Array(0...2_000))
    token.cancel()
  }

  @Test("An observer receives the end, and no later value")
  func ending() {
    let input = StreamInput("a")
    let heard = Recorder<String>()
    let token = input.observe(with: { heard.append($0) }, end: { _ in heard.append("|") })
    input.finish()
    input.finish()
    input.wrappedValue = "b"
    #expect(heard.values == ["a", "|"])
    #expect(input.wrappedValue == "b")
    let late = Recorder<String>()
    let lateToken = input.observe(with: { late.append($0) }, end: { _ in late.append("|") })
    #expect(late.values == ["b", "|"])
    _ = (token, lateToken)
  }

  @Test("A property takes the place of the initial value in the file")
  func initialValue() async throws {
    let model = try StreamModel(
      parsing: #"{"inputs": {"name": {"initialValue": "the file's"}}, "source": {"input": {"name": "name"}}}"#)
    let input = StreamInput("the app's")
    var iterator = model.values(of: String.self, inputs: ["name": input]).makeAsyncIterator()
    let value = try await iterator.next()
    #expect(value == "the app's")
    input.finish()
    let end = try await iterator.next()
    #expect(end == nil)
  }

  @Test("A property sends its value once to an input that keeps none")
  func passthrough() async throws {
    let model = try StreamModel(
      parsing: """
        {"inputs": {"name": {"buffer": {"capacity": 9, "whenFull": "fail"}}}, "source": {"input": {"name": "name"}}}
        """)
    let input = StreamInput("first")
    let sequence = model.values(of: String.self, inputs: ["name": input])
    var iterator = sequence.makeAsyncIterator()
    input.send("second")
    input.finish()
    var heard: [String] = []
    while let value = try await iterator.next() { heard.append(value) }
    #expect(heard == ["first", "second"])
  }

  @Test("A value that is not of the declared type makes the input fail and says where")
  func misfit() async throws {
    struct Point: Encodable, Sendable {
      let x: Int
      let y: String
    }
    let model = try StreamModel(
      parsing: """
        {"inputs": {"point": {"type": {"x": "double", "y": "double"}, "buffer": {"capacity": 5, "whenFull": "fail"}}},
         "source": {"input": {"name": "point"}}}
        """)
    let input = PassthroughInput<Point>()
    var iterator = model.values(inputs: ["point": input]).makeAsyncIterator()
    input.send(Point(x: 1, y: "2"))
    do {
      _ = try await iterator.next()
      Issue.record("it should have failed")
    } catch let failure as StreamFailure {
      #expect(failure.code == "S304")
      #expect(
        failure.message
          == "the value does not fit the input 'point' at /y: found a string, but the declared type is double"
      )
      #expect(failure.pointer.description == "/inputs/point")
    }
  }

  @Test("A name that the stream does not have is refused, and the nearest is named")
  func unknownInput() throws {
    let model = try StreamModel(parsing: #"{"inputs": {"name": {}}, "source": {"input": {"name": "name"}}}"#)
    let input = StreamInput("")
    do throws(Diagnostics) {
      _ = try LiveStream(model, inputs: ["nam": input])
      Issue.record("it should have been refused")
    } catch {
      #expect(error.all.map(\.code) == [.unknownInput])
      #expect(error.all.first?.message == "the stream has no input 'nam'")
      #expect(error.all.first?.help == "did you mean 'name'?")
    }
  }
}
