/// Reads the length of a scheduler's stride, which Combine lets clients create but not read.
///
/// The unit is found by measuring a second of the scheduler. If the magnitude is not a number, strides are created and
/// compared until one matches.
struct StrideReading<Stride: SchedulerTimeIntervalConvertible & Comparable & SignedNumeric>: @unchecked Sendable {
  // NB: the closure captures nothing but numbers.
  private let read: (Stride) -> Int64

  init() {
    if let type = Stride.Magnitude.self as? any BinaryInteger.Type {
      read = Self.makeIntegerReading(type)
    } else if let type = Stride.Magnitude.self as? any BinaryFloatingPoint.Type {
      read = Self.makeFloatingReading(type)
    } else {
      read = { stride in Self.search(stride) }
    }
  }

  /// Nanoseconds, 0 or more: clocks do not go back.
  func nanoseconds(_ stride: Stride) -> Int64 { stride > 0 ? read(stride) : 0 }

  private static func makeIntegerReading<M: BinaryInteger>(_ type: M.Type) -> (Stride) -> Int64 {
    let second = (Stride.seconds(1).magnitude as? M).map { Double($0) } ?? 0
    // A scheduler that never waits knows no lengths of time.
    guard second > 0 else { return { _ in 0 } }
    if second == 1e9 { return { ($0.magnitude as? M).map { Int64(clamping: $0) } ?? 0 } }
    return { ($0.magnitude as? M).map { clamped(Double($0) / second * 1e9) } ?? 0 }
  }

  private static func makeFloatingReading<M: BinaryFloatingPoint>(_ type: M.Type) -> (Stride) -> Int64 {
    let second = (Stride.seconds(1).magnitude as? M).map { Double($0) } ?? 0
    guard second > 0 else { return { _ in 0 } }
    return { ($0.magnitude as? M).map { clamped(Double($0) / second * 1e9) } ?? 0 }
  }

  private static func clamped(_ nanoseconds: Double) -> Int64 {
    nanoseconds < 9.2e18 ? Int64(nanoseconds.rounded()) : .max
  }

  /// The most nanoseconds that are not longer.
  private static func search(_ stride: Stride) -> Int64 {
    guard Stride.nanoseconds(1) > Stride.nanoseconds(0) else { return 0 }
    var least = 0
    var most = 1
    while most < Int.max / 2, Stride.nanoseconds(most) <= stride {
      least = most
      most *= 2
    }
    while most - least > 1 {
      let middle = least + (most - least) / 2
      if Stride.nanoseconds(middle) <= stride { least = middle } else { most = middle }
    }
    return Int64(least)
  }
}
