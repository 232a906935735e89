import Foundation
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Defects that the programs found.
@Suite("Former defects", .timeLimit(.minutes(1)))
struct FormerDefectTests {
  /// A publisher on a scheduler attached its inputs in the scheduler's next turn, so 1 was lost.
  @Test("A value that is sent right after the subscription arrives")
  func firstValue() {
    let input = PassthroughInput<Int>()
    let model = StreamModel(inputs: ["in": InputDeclaration(type: .int)], source: .input("in"))
    let scheduler = VirtualScheduler()
    var received: [Int] = []
    let token = model.publisher(of: Int.self, inputs: ["in": input], scheduler: scheduler)
      .sink(receiveCompletion: { _ in }, receiveValue: { received.append($0) })
    input.send(1)
    scheduler.run(through: scheduler.now) { true }
    input.send(2)
    scheduler.run(through: scheduler.now) { true }
    #expect(received == [1, 2])
    token.cancel()
  }

  /// The date was published and saved, but the saved state could not be read (`S102`).
  @Test("A state with a date of the distant past is restored")
  func distantPast() async throws {
    let input = PassthroughInput<Date>()
    let model = StreamModel(
      inputs: ["dates": InputDeclaration()], source: .input("dates"), operators: [.scan([], "acc + [value]")])
    var live = try LiveStream(model, inputs: ["dates": input])
    let state = StreamState()
    live.state = state
    var values = live.values(of: [Date].self).makeAsyncIterator()
    input.send(.distantPast)
    let published = try await values.next()
    #expect(published == [.distantPast])
    let stored = try JSONEncoder().encode(try await state.save())
    _ = try JSONDecoder().decode(Snapshot.self, from: stored)
  }

  /// A changing stream waited forever for a missing feed, and accepted a model whose input has another type than its feed,
  /// which ended it with the next value.
  @Test("A changing stream refuses a feed that is missing or of the wrong type")
  func feedsOfChangingStreams() async throws {
    let model = StreamModel(inputs: ["in": InputDeclaration(type: .int)], source: .input("in"))
    #expect(throws: Diagnostics.self) { try ChangingStream(model) }
    #expect(throws: Diagnostics.self) { try ChangingStream(model, inputs: ["in": PassthroughInput<String>()]) }

    let input = PassthroughInput<Int>()
    let stream = try ChangingStream(model, inputs: ["in": input])
    var values = stream.values(of: Int.self).makeAsyncIterator()
    var other = model
    other.inputs["in"] = InputDeclaration(type: .string)
    let report = try? await stream.swap(to: other)
    #expect(report == nil)
    input.send(1)
    let next = try? await values.next()
    #expect(next == 1)
  }
}
