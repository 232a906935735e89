/// The values of a stream that are kept while the loop that awaits them is busy.
///
/// ```swift
/// for try await number in live.values(of: Int.self, bufferingPolicy: .newest(1)) { lines.append("\(number)") }
/// ```
public enum BufferingPolicy: Hashable, Sendable {
  /// Keeps every value, and requests at most so many ahead of the loop. Sources that can wait do so meanwhile. If one
  /// that cannot wait would drop a value, the stream fails (`S409`), so none is lost unseen. 1 or more.
  case bounded(Int)
  /// Requests all values, and keeps the newest ones. 1 or more.
  case newest(Int)
  /// Requests all values, and keeps the oldest ones. 1 or more.
  case oldest(Int)
  /// Requests each value when the loop awaits it, so that a source is read no faster. Values sent to an input
  /// meanwhile wait in its own queue (`buffer`); an input with an initial value keeps only its newest value, as Combine's
  /// subjects do.
  case demand

  /// Keeps 1,024 values: `bounded(1_024)`.
  public static let standard = BufferingPolicy.bounded(1_024)

  /// The help of a failure for too many values.
  static let advice = "await them faster, or choose a 'bufferingPolicy' that drops values"

  /// Maximum number of values kept.
  var limit: Int {
    switch self {
    case .bounded(let count), .newest(let count), .oldest(let count): max(1, count)
    case .demand: 1
    }
  }
}
