public import Dispatch

#if canImport(Combine)
/// A dispatch queue as a scheduler.
public typealias QueueScheduler = DispatchQueue

extension QueueScheduler {
  /// The main queue.
  static var standard: QueueScheduler { .main }
}
#else
/// A dispatch queue as a scheduler.
public typealias QueueScheduler = DispatchQueue.OCombine

extension QueueScheduler {
  /// The main queue.
  static var standard: QueueScheduler { DispatchQueue.main.ocombine }
}
#endif
