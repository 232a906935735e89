internal import StreamCore
internal import StreamEngine

/// Estimates what the operators of a stream hold, as often as it can grow to the limit.
struct MemoryGauge {
  private let limit: Int
  /// Amount of work since the last estimate, and that at which the next one is due.
  private var work = 0
  private var due = Self.leastWork
  /// Size in bytes at the last estimate.
  private var size = 0

  /// Least amount of work between two estimates.
  private static let leastWork = 10_000
  /// Amount of work for each value that an estimate visits, so that estimates take a small share of the time.
  private static let share = 20

  init(_ limit: Int) { self.limit = limit }

  /// Returns the failure of a stream that holds too much; nil if it does not, or if the next estimate is not due.
  ///
  /// - Parameter amount: Number of steps or values since the last call.
  mutating func read(_ execution: Execution, after amount: Int) -> StreamFailure? {
    work &+= amount
    guard work >= due else { return nil }
    let holdings: [Execution.Holding]
    do {
      holdings = try execution.holdings()
    } catch {
      return StreamFailure(
        .limitExceeded,
        "the memory of the stream is limited, and cannot be estimated, since its state cannot be saved: \(error)")
    }
    let total = holdings.reduce(0) { $0 + $1.bytes }
    if total > limit, let largest = holdings.max(by: { $0.bytes < $1.bytes }) {
      return StreamFailure(
        .limitExceeded,
        "'\(largest.name)' holds about \(largest.bytes) bytes, and the stream \(total): more than \(limit)",
        pointer: largest.pointer, help: "limit what it keeps, or raise 'RunLimits.memory'")
    }
    let growth = max(1, Double(total - size) / Double(work))
    // Half of the work after which it reaches the limit, at the rate since the last estimate.
    let reach = Int(min(Double(limit - total) / growth / 2, 1e12))
    let count = holdings.reduce(0) { $0 + $1.values }
    due = max(Self.leastWork, min(reach, max(Self.leastWork, count * Self.share)))
    work = 0
    size = total
    return nil
  }
}

extension RunLimits {
  /// Returns the failure that the host's check finds; nil if it finds none.
  ///
  /// Only a stream that fails is asked what it holds: the estimate takes memory, too.
  func failure(of execution: Execution) -> StreamFailure? {
    guard let failure = check?() else { return nil }
    guard namesHolder, failure.code == DiagnosticCode.limitExceeded.rawValue,
      let holdings = try? execution.holdings(), let largest = holdings.max(by: { $0.bytes < $1.bytes })
    else { return failure }
    return StreamFailure(
      .limitExceeded,
      "\(failure.message); '\(largest.name)' holds most: about \(largest.bytes) bytes in \(largest.values) values",
      pointer: largest.pointer, help: failure.help)
  }
}
