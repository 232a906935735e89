/// Whether a file is read ahead, on a thread of its own.
enum ReadingAhead {
  case never
  /// Once so many bytes have come without a wait.
  case after(Int)
  /// The same, on a machine that runs several threads at once.
  case wherePays(after: Int)

  /// How many bytes an input has to be worth a thread.
  static let worth = 1 << 20

  /// What a run does that may have so many threads; nil for as many as are of use.
  init(threads: Int?) {
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

/// What a file has that may be read ahead where not more than one may.
final class AheadThread: Sendable {
  let readingAhead: ReadingAhead

  init(readingAhead: ReadingAhead) { self.readingAhead = readingAhead }
}
