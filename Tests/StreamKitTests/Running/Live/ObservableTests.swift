import Observation
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import Testing

/// Inputs and outputs that SwiftUI observes.
@MainActor @Suite("Observable inputs and outputs", .timeLimit(.minutes(1)))
struct ObservableTests {
  private static let doubling = """
    {"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
     "operators": [{"map": {"expression": "value * 2"}}]}
    """

  /// Waits until a condition holds.
  private func wait(until condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("Reading a value records it; setting it notifies the observer, and feeds the stream")
  func observing() async throws {
    let input = StreamInput(3)
    let stream = try LiveStream(StreamModel(parsing: Self.doubling), inputs: ["a": input])
    let output = ObservableOutput(stream.values(of: Int.self))
    try await wait { output.value == 6 }
    let changes = Atomic(0)
    withObservationTracking {
      _ = (input.value, output.value)
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    input.value = 4
    try await wait { output.value == 8 }
    #expect(input.value == 4)
    #expect(changes.load(ordering: .relaxed) == 1)
    #expect(!output.isFinished)
    input.finish()
    try await wait { output.isFinished }
    #expect(output.failure == nil)
  }

  @Test("A failure is kept")
  func failing() async throws {
    let stream = try LiveStream(
      StreamModel(parsing: #"{"source": {"fail": {"error": {"message": "no"}}}}"#))
    let output = ObservableOutput(stream.values(of: Int.self))
    try await wait { output.isFinished }
    #expect(output.failure?.message == "no")
    #expect(output.value == nil)
  }

  @Test("A released output ends its subscription, as a canceled one does")
  func releasing() async throws {
    let input = PassthroughInput<Int>()
    let stream = try ChangingStream(StreamModel(parsing: Self.doubling), inputs: ["a": input])
    var output: ObservableOutput<Int>? = ObservableOutput(stream.values(of: Int.self))
    let canceled = ObservableOutput(stream.values(of: Int.self))
    weak let gone = output
    input.send(1)
    try await wait { canceled.value == 2 }
    output = nil
    #expect(gone == nil)
    canceled.cancel()
    try await wait { canceled.isFinished }
    input.send(2)
    #expect(canceled.value == 2)
  }
}
