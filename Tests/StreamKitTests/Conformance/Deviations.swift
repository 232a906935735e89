/// Vectors that are not as RxJS has them, or that a stream file cannot say, and why.
enum Deviations {
  struct Deviation {
    let reason: String
    /// The vectors' ids.
    let vectors: [String]
  }

  static let all: [Deviation] = []
}
