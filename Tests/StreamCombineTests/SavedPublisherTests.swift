import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Publishers whose state is saved.
@Suite("Saved publishers", .timeLimit(.minutes(1)))
struct SavedPublisherTests {
  private static let delaying = """
    {"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}, "operators": [{"delay": {"seconds": 2}}]}
    """

  @Test("A publisher that has nothing to do is saved without a turn of its scheduler, and continues")
  func savedAtRest() async throws {
    let (input, scheduler) = (PassthroughInput<Int>(), VirtualScheduler())
    var live = try LiveStream(StreamModel(parsing: Self.delaying), inputs: ["a": input])
    live.state = StreamState()
    var values: [Int] = []
    let token = live.publisher(of: Int.self, scheduler: scheduler).failures(.log).sink { values.append($0) }
    scheduler.advance(by: .zero)
    input.send(1)
    scheduler.advance(by: .seconds(1))
    let saved = try #require(try await live.state?.save())
    input.send(2)
    scheduler.advance(by: .seconds(1))
    #expect(values == [1])
    scheduler.advance(by: .seconds(1))
    #expect(values == [1, 2])
    token.cancel()

    let later = VirtualScheduler()
    live.state = StreamState(restoring: saved)
    var restored: [Int] = []
    let again = live.publisher(of: Int.self, scheduler: later).failures(.log).sink { restored.append($0) }
    later.advance(by: .seconds(0.9))
    #expect(restored == [])
    later.advance(by: .seconds(0.1))
    #expect(restored == [1])
    again.cancel()
  }
}
