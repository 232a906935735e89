#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Measures how the time of some work grows with its size.
package enum Growth {
  /// Returns the ratio of the times for twice a size and for the size: 2 for linear, 4 for quadratic growth. Each time
  /// is the minimum of several measurements, in processor time of this thread, so that other work does not count.
  ///
  /// - Parameters:
  ///   - prepare: Creates the input of a size, not measured.
  ///   - work: The measured work on an input.
  package static func ratio<Input>(
    from size: Int, attempts: Int = 3, preparing prepare: (Int) throws -> Input, _ work: (Input) throws -> Void
  ) rethrows -> Double {
    var (small, large) = (Double.infinity, Double.infinity)
    for _ in 0..<attempts {
      let (smallInput, largeInput) = (try prepare(size), try prepare(2 * size))
      small = min(small, try seconds { try work(smallInput) })
      large = min(large, try seconds { try work(largeInput) })
      if large < 2.5 * small { break }
    }
    return large / max(small, 1e-6)
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now
    try work()
    return now - start
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
