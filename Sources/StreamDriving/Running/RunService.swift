internal import StreamEngine
internal import StreamFiles

/// Something that a run serves beside its inputs: programs that answer calls, clients that inspect it, its next save.
///
/// A run serves all of its services when one of their files is readable, when one is due, and about every five
/// milliseconds while the stream is busy. Between two calls of `serve` the stream processes whole events.
protocol RunService: AnyObject {
  /// Files that are readable when there is something to do.
  var signals: [FileDescriptor] { get }
  /// Files that can be written to when there is something to do.
  var writeSignals: [FileDescriptor] { get }
  /// Nanoseconds until it must be served even if none of its files is readable, 0 or more; nil if there is no such time.
  var untilDue: Int64? { get }
  /// Whether a time that passes only when no input can proceed must not pass: an answer is to come, which counts as present.
  var holdsTime: Bool { get }
  /// Does what is due. Must not wait.
  func serve(_ run: RunSession) throws(RunStop)
  /// Releases what it holds, at the end of the run. Called once.
  func close(_ run: RunSession)
}

extension RunService {
  var signals: [FileDescriptor] { [] }
  var writeSignals: [FileDescriptor] { [] }
  var untilDue: Int64? { nil }
  var holdsTime: Bool { false }
  func close(_ run: RunSession) {}
}

/// The services of a run, and when they are served next.
final class RunServices {
  @exclusivity(unchecked) private(set) var all: [any RunService] = []
  private let clock = LiveClock()
  @exclusivity(unchecked) private var next: Int64 = 0

  /// Nanoseconds between two times at which the services of a busy stream are served.
  private static let interval: Int64 = 5_000_000

  func append(_ service: any RunService) { all.append(service) }

  /// Whether the services are to be served now.
  func areDue() -> Bool {
    if all.isEmpty { return false }
    let now = clock.now.nanoseconds
    guard now >= next else { return false }
    next = now + Self.interval
    return true
  }

  /// Serves them at the next opportunity.
  func hurry() { next = 0 }

  /// Whether one of them holds time.
  var holdTime: Bool { all.contains { $0.holdsTime } }

  /// The files that are readable when there is something to do.
  var signals: [FileDescriptor] { all.flatMap(\.signals) }

  /// The files that can be written to when there is something to do.
  var writeSignals: [FileDescriptor] { all.flatMap(\.writeSignals) }

  /// The longest wait until one is due, in nanoseconds; nil if there is no limit.
  var untilDue: Int64? { all.compactMap(\.untilDue).min() }
}
