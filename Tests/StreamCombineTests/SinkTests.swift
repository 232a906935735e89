import StreamCombine
import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// The `sink` of a stream's own publisher, which has fewer objects in between than that of others.
@Suite("A sink on a stream")
struct SinkTests {
  private let text = """
    {"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": [{"map": {"expression": "value * 2"}}]}
    """

  /// The events, in words.
  private final class Ear {
    var heard = ""
    func hear(_ value: Int) { heard += "\(value) " }
    func hear(_ end: Subscribers.Completion<StreamFailure>) {
      switch end {
      case .finished: heard += "|"
      case .failure(let failure): heard += failure.code
      }
    }
  }

  private func stream(_ input: PassthroughInput<Value>) throws -> StreamPublisher<Int> {
    try LiveStream(try StreamModel(parsing: text), inputs: ["in": input]).publisher(of: Int.self, delivery: .immediate)
  }

  @Test("hears values and the end, and nothing afterwards")
  func values() throws {
    let (input, ear) = (PassthroughInput<Value>(), Ear())
    let token = try stream(input).sink(receiveCompletion: ear.hear, receiveValue: ear.hear)
    input.send(.int(1))
    input.send(.int(2))
    input.finish()
    input.send(.int(3))
    #expect(ear.heard == "2 4 |")
    token.cancel()
    #expect(ear.heard == "2 4 |")
  }

  @Test("hears a failure, and what does not fit")
  func failures() throws {
    for (value, expected) in [(Value.string("x"), "2 S405"), (.double(0.25), "2 S414")] {
      let (input, ear) = (PassthroughInput<Value>(), Ear())
      let token = try stream(input).sink(receiveCompletion: ear.hear, receiveValue: ear.hear)
      input.send(.int(1))
      input.send(value)
      input.send(.int(2))
      #expect(ear.heard == expected)
      token.cancel()
    }
  }

  @Test("nothing is heard after canceling, also from within a value")
  func canceling() throws {
    let (input, ear) = (PassthroughInput<Value>(), Ear())
    var token: AnyCancellable?
    token = try stream(input).sink(receiveCompletion: ear.hear) { value in
      ear.hear(value)
      if value == 4 { token?.cancel() }
    }
    for value in 1...4 { input.send(.int(Int64(value))) }
    input.finish()
    #expect(ear.heard == "2 4 ")
  }

  @Test("the closures are let go at the end, when it is canceled, and with its token", arguments: 0..<3)
  func release(way: Int) throws {
    let input = PassthroughInput<Value>()
    weak var weakEar: Ear?
    var token: AnyCancellable?
    do {
      let ear = Ear()
      weakEar = ear
      token = try stream(input).sink(receiveCompletion: ear.hear, receiveValue: ear.hear)
    }
    input.send(.int(1))
    #expect(weakEar?.heard == "2 ")
    switch way {
    case 0: input.finish()
    case 1: token?.cancel()
    default: token = nil
    }
    #expect(weakEar == nil)
    _ = token
  }

  @Test("one that is released alone stays silent, and another hears on")
  func several() throws {
    let (input, first, second) = (PassthroughInput<Value>(), Ear(), Ear())
    let publisher = try stream(input)
    var one: AnyCancellable? = publisher.sink(receiveCompletion: first.hear, receiveValue: first.hear)
    let other = publisher.sink(receiveCompletion: second.hear, receiveValue: second.hear)
    input.send(.int(1))
    one = nil
    input.send(.int(2))
    _ = one
    #expect(first.heard == "2 ")
    #expect(second.heard == "2 4 ")
    other.cancel()
  }
}
