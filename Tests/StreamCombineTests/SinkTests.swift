import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
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
    func handle(_ value: Int) { heard += "\(value) " }
    func handle(_ end: Subscribers.Completion<StreamFailure>) {
      switch end {
      case .finished: heard += "|"
      case .failure(let failure): heard += failure.code
      }
    }
  }

  private func stream(_ input: PassthroughInput<Value>) throws -> StreamPublisher<Int> {
    try LiveStream(try StreamModel(parsing: text), inputs: ["in": input]).publisher(of: Int.self, delivery: .immediate)
  }

  @Test("The sink receives values and the end, and nothing afterward")
  func values() throws {
    let (input, ear) = (PassthroughInput<Value>(), Ear())
    let token = try stream(input).sink(receiveCompletion: ear.handle, receiveValue: ear.handle)
    input.send(.int(1))
    input.send(.int(2))
    input.finish()
    input.send(.int(3))
    #expect(ear.heard == "2 4 |")
    token.cancel()
    #expect(ear.heard == "2 4 |")
  }

  @Test("The sink receives a failure, and a value of the wrong type")
  func failures() throws {
    for (value, expected) in [(Value.string("x"), "2 S405"), (.double(0.25), "2 S414")] {
      let (input, ear) = (PassthroughInput<Value>(), Ear())
      let token = try stream(input).sink(receiveCompletion: ear.handle, receiveValue: ear.handle)
      input.send(.int(1))
      input.send(value)
      input.send(.int(2))
      #expect(ear.heard == expected)
      token.cancel()
    }
  }

  @Test("No event arrives after cancellation, also from within a value")
  func canceling() throws {
    let (input, ear) = (PassthroughInput<Value>(), Ear())
    var token: AnyCancellable?
    token = try stream(input).sink(receiveCompletion: ear.handle) { value in
      ear.handle(value)
      if value == 4 { token?.cancel() }
    }
    for value in 1...4 { input.send(.int(Int64(value))) }
    input.finish()
    #expect(ear.heard == "2 4 ")
  }

  @Test("The closures are released at the end, on cancellation, and with the token", arguments: 0..<3)
  func release(way: Int) throws {
    let input = PassthroughInput<Value>()
    weak var weakEar: Ear?
    var token: AnyCancellable?
    do {
      let ear = Ear()
      weakEar = ear
      token = try stream(input).sink(receiveCompletion: ear.handle, receiveValue: ear.handle)
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

  @Test("A released sink stays silent, and another one still receives values")
  func several() throws {
    let (input, first, second) = (PassthroughInput<Value>(), Ear(), Ear())
    let publisher = try stream(input)
    var one: AnyCancellable? = publisher.sink(receiveCompletion: first.handle, receiveValue: first.handle)
    let other = publisher.sink(receiveCompletion: second.handle, receiveValue: second.handle)
    input.send(.int(1))
    one = nil
    input.send(.int(2))
    _ = one
    #expect(first.heard == "2 ")
    #expect(second.heard == "2 4 ")
    other.cancel()
  }
}
