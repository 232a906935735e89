internal import StreamCore
internal import StreamEngine
internal import StreamKit
internal import Synchronization

/// Bounds of all tests of a file together, for files of others.
package struct TestBounds: Hashable, Sendable {
  /// Maximum number of tests.
  package var count: Int
  /// Maximum duration, in seconds.
  package var seconds: Double
  /// Maximum number of steps; see `RunLimits.budget`.
  package var steps: Int

  package init(count: Int = 1_000, seconds: Double = 10, steps: Int = 100_000_000) {
    self.count = count
    self.seconds = seconds
    self.steps = steps
  }
}

/// Measures the tests of a file against their bounds.
final class TestMeter: Sendable {
  private let bounds: TestBounds
  private let start = ContinuousClock.now
  /// Number of steps, in slices of the limit on work.
  private let slices = Atomic<Int>(0)

  /// - Throws: If the file has too many tests.
  init(_ bounds: TestBounds, of count: Int) throws(Diagnostics) {
    guard count <= bounds.count else {
      throw Diagnostics(.limitExceeded, "the file has \(count) tests; at most \(bounds.count) are run")
    }
    self.bounds = bounds
  }

  /// The bound that was exceeded; nil if none was.
  var problem: String? {
    if ContinuousClock.now - start > .seconds(bounds.seconds) {
      return "the tests of the file take longer than \(bounds.seconds) s together"
    }
    guard slices.load(ordering: .relaxed) * WorkMeter.slice > bounds.steps else { return nil }
    return "the tests of the file take more than \(bounds.steps) steps together"
  }

  /// Returns the limit of a test, which ends with the bounds, too.
  func watching(_ limit: RunLimits) -> RunLimits {
    var watched = limit
    watched.check = { [self] in
      slices.add(1, ordering: .relaxed)
      return limit.check?() ?? problem.map { StreamFailure(.workExceeded, $0) }
    }
    return watched
  }
}
