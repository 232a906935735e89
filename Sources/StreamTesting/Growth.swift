internal import CLibrary

/// Measures how the time of some work grows with its size.
package enum Growth {
  /// The exponent of the size in the time: 1 where the time is linear, 2 where it is quadratic.
  ///
  /// Compares half the size with twice the size. Each time is the shortest of several, in processor time of this thread,
  /// since caches and cores are shared with other work. The measurement is repeated while the result is far from linear.
  ///
  /// - Parameters:
  ///   - prepare: makes the input of a size; its time does not count.
  ///   - work: does the work on an input.
  package static func exponent<Input>(
    around size: Int, attempts: Int = 8, preparing prepare: (Int) throws -> Input, _ work: (Input) throws -> Void
  ) rethrows -> Double {
    var (small, large) = (Double.infinity, Double.infinity)
    var exponent: Double { log2(large / max(small, 1e-6)) / 2 }
    for _ in 0..<attempts {
      let (smallInput, largeInput) = (try prepare(size / 2), try prepare(2 * size))
      small = min(small, try seconds { try work(smallInput) })
      large = min(large, try seconds { try work(largeInput) })
      if exponent < 1.3 { break }
    }
    return exponent
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
