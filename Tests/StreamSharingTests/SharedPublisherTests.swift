#if Sharing
import StreamCombine
import StreamCore
import StreamKit
import StreamEngine
import StreamSharing
import StreamTesting
import Testing

/// The publisher of a shared stream.
@Suite struct SharedPublisherTests {
  /// Takes one value at a time, when it is asked to.
  private final class Reader: OpenCombine.Subscriber, @unchecked Sendable {
    let values = AsyncStream.makeStream(of: Int.self)
    let ends = AsyncStream.makeStream(of: Bool.self)
    /// Set before anything else is called.
    private var subscription: (any Subscription)?

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Int) -> Subscribers.Demand {
      values.continuation.yield(input)
      return .none
    }

    func receive(completion: Subscribers.Completion<StreamFailure>) {
      ends.continuation.yield(completion == .finished)
      values.continuation.finish()
    }

    func request(_ count: Int) { subscription?.request(.max(count)) }

    func cancel() { subscription?.cancel() }
  }

  private func stream(_ followed: FollowedRepository) throws -> SharedStream {
    try SharedStream("total", from: try followed.open(), fallback: try StreamModel(parsing: Total.plain))
  }

  @Test func valuesAreDeliveredOnDemandAndTheEndAfterThem() async throws {
    let shared = try stream(try FollowedRepository())
    let numbers = PassthroughInput<Int>()
    let reader = Reader()
    shared.publisher(of: Int.self, inputs: ["a": numbers]).subscribe(reader)
    var values = reader.values.stream.makeAsyncIterator()
    for number in 1...3 { numbers.send(number) }
    reader.request(2)
    let first = await values.next()
    let second = await values.next()
    #expect([first, second] == [1, 3])
    reader.request(1)
    let third = await values.next()
    #expect(third == 6)
    shared.cancel()
    var ends = reader.ends.stream.makeAsyncIterator()
    let isFinished = await ends.next()
    #expect(isFinished == true)
  }

  @Test func aCanceledSubscriberReceivesNothingMore() async throws {
    let shared = try stream(try FollowedRepository())
    let numbers = PassthroughInput<Int>()
    let (canceled, other) = (Reader(), Reader())
    for reader in [canceled, other] {
      shared.publisher(of: Int.self, inputs: ["a": numbers]).subscribe(reader)
      reader.request(10)
    }
    canceled.cancel()
    numbers.send(5)
    var values = other.values.stream.makeAsyncIterator()
    let value = await values.next()
    #expect(value == 5)
    canceled.values.continuation.finish()
    var nothing = canceled.values.stream.makeAsyncIterator()
    let lost = await nothing.next()
    #expect(lost == nil)
  }
}
#endif
