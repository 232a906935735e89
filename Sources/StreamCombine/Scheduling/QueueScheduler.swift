public import Dispatch

#if canImport(Combine)
/// A dispatch queue as a scheduler.
///
/// ```swift
/// func numbers(on queue: QueueScheduler) -> StreamPublisher<Int> { live.publisher(of: Int.self, scheduler: queue) }
/// ```
public typealias QueueScheduler = DispatchQueue

extension QueueScheduler {
  /// The main queue.
  static var standard: QueueScheduler { .main }
}
#else
/// A dispatch queue as a scheduler.
///
/// ```swift
/// func numbers(on queue: QueueScheduler) -> StreamPublisher<Int> { live.publisher(of: Int.self, scheduler: queue) }
/// ```
public typealias QueueScheduler = DispatchQueue.OCombine

extension QueueScheduler {
  /// The main queue.
  static var standard: QueueScheduler { DispatchQueue.main.ocombine }
}
#endif
