import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Code that a Combine developer writes without reading a page.
@Suite("Combine's habits")
struct CombineHabitTests {
  private static let text = """
    {"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": [{"map": {"expression": "6 / value"}}]}
    """

  private final class Form {
    @Published var result = 0
    var results: [String] = []
  }

  private func live(_ input: PassthroughInput<Int>) throws -> LiveStream {
    try LiveStream(StreamModel(parsing: Self.text), inputs: ["in": input])
  }

  @Test("A publisher that reports its failure never fails, and can be assigned to a published property")
  func reported() throws {
    let (input, form) = (PassthroughInput<Int>(), Form())
    nonisolated(unsafe) var codes: [String] = []
    try live(input).publisher(of: Int.self, delivery: .immediate)
      .failures(.handled { codes.append($0.code) })
      .assign(to: &form.$result)
    input.send(3)
    #expect(form.result == 2)
    input.send(0)
    input.send(1)
    #expect(form.result == 2)
    #expect(codes == ["S402"])
  }

  @Test("A publisher publishes its failure as a result")
  func published() throws {
    let (input, form) = (PassthroughInput<Int>(), Form())
    var tokens: Set<AnyCancellable> = []
    try live(input).publisher(of: Int.self, delivery: .immediate).failures(.asValues)
      .sink { result in
        switch result {
        case .success(let value): form.results.append("\(value)")
        case .failure(let failure): form.results.append(failure.code)
        }
      }
      .store(in: &tokens)
    input.send(2)
    input.send(0)
    #expect(form.results == ["3", "S402"])
  }

  @Test("Inputs complete as subjects do, and their tokens are stored as cancellables")
  func inputs() throws {
    let input = StreamInput(1)
    nonisolated(unsafe) var heard: [Int] = []
    nonisolated(unsafe) var ends = 0
    var tokens: Set<AnyCancellable> = []
    input.observe {
      heard.append($0)
    } end: { _ in
      ends += 1
    }.store(in: &tokens)
    input.value += 1
    input.send(completion: .finished)
    input.value += 1
    #expect(heard == [1, 2])
    #expect(ends == 1)
    tokens = []
  }

  @Test("A value that is sent right after the subscription arrives, also before the scheduler's next turn")
  func firstValues() throws {
    let text = #"{"inputs": {"in": {}}, "source": {"input": {"name": "in"}}}"#
    let scheduler = VirtualScheduler()
    for input in [PassthroughInput<Int>(), StreamInput(0)] as [InputFeed<Int>] {
      var received: [Int] = []
      let token = try StreamModel(parsing: text).publisher(of: Int.self, inputs: ["in": input], scheduler: scheduler)
        .sink(receiveCompletion: { _ in }, receiveValue: { received.append($0) })
      input.send(1)
      input.send(2)
      #expect(received.isEmpty)
      scheduler.run(through: scheduler.now) { true }
      input.send(3)
      scheduler.run(through: scheduler.now) { true }
      #expect(received == (input is StreamInput<Int> ? [0, 1, 2, 3] : [1, 2, 3]))
      token.cancel()
    }
  }

  @Test("A changing stream has typed publishers and sequences, which share one run")
  func changing() async throws {
    let input = PassthroughInput<Int>()
    let stream = try ChangingStream(StreamModel(parsing: Self.text), inputs: ["in": input])
    let (values, mail) = AsyncStream.makeStream(of: Int.self)
    let token = stream.publisher(of: Int.self).sink { _ in
      mail.finish()
    } receiveValue: {
      mail.yield($0)
    }
    var own = stream.values(of: Int.self).makeAsyncIterator()
    _ = try await stream.swap(to: StreamModel(parsing: Self.text.replacing("6", with: "12")))
    input.send(3)
    input.send(completion: .finished)
    var received: [Int] = []
    for await value in values { received.append(value) }
    #expect(received == [4])
    let awaited = try await [own.next(), own.next()]
    #expect(awaited == [4, nil])
    _ = token
  }
}
