import Dispatch
import Foundation
import StreamCombine
import StreamKit

/// The two implementations of a pipeline: a model, and operators of OpenCombine.
enum Engine: String, CaseIterable, Sendable {
  case model, combine
}

/// The context in which values are delivered.
enum Delivery: Sendable {
  case immediate, mainQueue
  /// A serial queue other than the main queue.
  case ownQueue
}

/// An input whose values are doubled and published: a model with a feed, or a subject with `map`.
///
/// `@unchecked`: publishers and subjects may be used from any thread.
final class Relay: @unchecked Sendable {
  let publisher: AnyPublisher<Int, StreamFailure>
  private let sendValue: (Int) -> Void
  private let sendCompletion: (Subscribers.Completion<StreamFailure>) -> Void

  /// - Parameter current: The current value, if the input keeps one.
  init(_ engine: Engine, _ delivery: Delivery = .immediate, current: Int? = nil) throws {
    let queue = DispatchQueue(label: "own")
    switch engine {
    case .model:
      let feed: InputFeed<Int> = if let current { StreamInput(current) } else { PassthroughInput() }
      let live = try LiveStream(Self.doubling, inputs: ["in": feed])
      publisher =
        switch delivery {
        case .immediate: live.publisher(of: Int.self, delivery: .immediate).eraseToAnyPublisher()
        case .mainQueue: live.publisher(of: Int.self).eraseToAnyPublisher()
        case .ownQueue: live.publisher(of: Int.self, scheduler: queue.asScheduler).eraseToAnyPublisher()
        }
      sendValue = feed.send
      sendCompletion = feed.send(completion:)
    case .combine:
      let values: AnyPublisher<Int, StreamFailure>
      if let current {
        let subject = CurrentValueSubject<Int, StreamFailure>(current)
        (sendValue, sendCompletion) = (subject.send, subject.send(completion:))
        values = subject.map { $0 * 2 }.eraseToAnyPublisher()
      } else {
        let subject = PassthroughSubject<Int, StreamFailure>()
        (sendValue, sendCompletion) = (subject.send, subject.send(completion:))
        values = subject.map { $0 * 2 }.eraseToAnyPublisher()
      }
      publisher =
        switch delivery {
        case .immediate: values
        case .mainQueue: values.receive(on: DispatchQueue.main.asScheduler).eraseToAnyPublisher()
        case .ownQueue: values.receive(on: queue.asScheduler).eraseToAnyPublisher()
        }
    }
  }

  static let doubling = StreamModel(
    inputs: ["in": InputDeclaration(type: .int)], source: .input("in"), operators: [.map("value * 2")])

  func send(_ value: Int) { sendValue(value) }
  func send(completion: Subscribers.Completion<StreamFailure>) { sendCompletion(completion) }

  /// Subscribes with a closure for values and one for the end.
  func sink(_ receive: @escaping (Int) -> Void, end: @escaping () -> Void = {}) -> AnyCancellable {
    publisher.sink(receiveCompletion: { _ in end() }, receiveValue: receive)
  }
}

/// A subscription that threads pass to each other.
final class Holder: @unchecked Sendable {  // `lock` protects the token
  private let lock = NSLock()
  private var token: AnyCancellable?

  func hold(_ token: AnyCancellable) { lock.withLock { self.token = token } }

  func cancel() { lock.withLock { token }?.cancel() }

  /// Releases the subscription, as an object does that is released itself.
  func release() {
    // NB: Outside the lock: the release of a subscription calls closures of the app.
    let last = lock.withLock {
      defer { token = nil }
      return token
    }
    _ = last
  }
}

/// A flag for any thread.
final class Flag: @unchecked Sendable {  // `lock` protects the value
  private let lock = NSLock()
  private var value = false
  var isRaised: Bool { lock.withLock { value } }
  func raise() { lock.withLock { value = true } }
}

/// Runs a body in so many threads, and waits for all of them.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count { startThread(in: group) { body(index) } }
  group.wait()
}

/// Runs a body in a thread, which the group waits for.
func startThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
  group.enter()
  Thread {
    body()
    group.leave()
  }
  .start()
}

/// Runs an action in a thread, or on the main queue. Returns false if it does not end in a minute: it hangs.
func ends(onMainQueue: Bool = false, _ action: @escaping @Sendable () -> Void) async -> Bool {
  let (ends, mail) = AsyncStream.makeStream(of: Bool.self)
  let body: @Sendable () -> Void = {
    action()
    mail.yield(true)
  }
  if onMainQueue { DispatchQueue.main.async(execute: body) } else { Thread(block: body).start() }
  DispatchQueue.global().asyncAfter(deadline: .now() + 60) { mail.yield(false) }
  var iterator = ends.makeAsyncIterator()
  return await iterator.next() ?? false
}

extension DispatchQueue {
  /// The queue as a scheduler of Combine or OpenCombine.
  var asScheduler: QueueScheduler {
    #if canImport(Combine)
    self
    #else
    ocombine
    #endif
  }
}
