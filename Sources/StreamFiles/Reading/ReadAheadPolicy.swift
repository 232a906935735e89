/// The policy for reading a file ahead on a separate thread.
package enum ReadAheadPolicy {
  case never
  /// After this number of bytes has arrived without a wait.
  case after(Int)
  /// The same, on a machine that runs several threads at once.
  case wherePays(after: Int)

  /// Minimum size of an input in bytes for which a thread pays off.
  static let worth = 1 << 20

  /// Creates the policy for a number of threads; nil for the best number.
  package init(threads: Int?) {
    switch threads {
    case nil: self = .wherePays(after: Self.worth)
    case .some(...1): self = .never
    case .some: self = .after(Self.worth)
    }
  }

  func pays(after count: Int) -> Bool {
    switch self {
    case .never: false
    case .after(let limit): count >= limit
    case .wherePays(let limit): count >= limit && Parallel.coreCount > 1
    }
  }
}

/// A permit for reading ahead, held by at most one file.
final class AheadThread: Sendable {
  let readingAhead: ReadAheadPolicy

  init(readingAhead: ReadAheadPolicy) { self.readingAhead = readingAhead }
}
