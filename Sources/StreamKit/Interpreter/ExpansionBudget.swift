package import StreamCore
internal import Synchronization

/// Bounds the text that references repeat, as if it were written out: definitions and files that are applied again, files
/// that are used with other parameters, values of parameters, and streams that tests compile again.
///
/// Each use is compiled and drawn on its own, so that uses within uses multiply. The first use of a part counts nothing,
/// since the length of its file bounds it.
package final class ExpansionBudget: Sendable {
  /// The bound of one stream, in bytes of compact JSON.
  package static let standard = 4_000_000
  /// The bound of the tests of a file together. Each test may compile the stream again.
  package static let ofTests = 10 * standard
  /// Number of bytes that a use counts at least: a scope, and the look-up of a file.
  private static let leastLength = 800

  package let limit: Int
  /// The bound of several streams, including this one; nil for none.
  private let total: ExpansionBudget?
  private let state = Mutex(State())

  private struct State {
    var spent = 0
    /// The uses of each part so far, and its length once it is used again.
    var parts: [String: (count: Int, length: Int?)] = [:]
  }

  /// - Parameters:
  ///   - limit: The bound in bytes.
  ///   - total: The bound of several streams, which the text counts for, too.
  package init(limit: Int = ExpansionBudget.standard, within total: ExpansionBudget? = nil) {
    (self.limit, self.total) = (limit, total)
  }

  /// Whether the text is longer than the bound.
  package var isExceeded: Bool { state.withLock { $0.spent > limit } || total?.isExceeded ?? false }

  /// Counts a use of a part.
  ///
  /// - Parameters:
  ///   - identity: The part.
  ///   - content: Its JSON.
  /// - Returns: False if the bound is exceeded.
  package func use(_ identity: String, _ content: () -> Value) -> Bool {
    let known = state.withLock { state in
      let known = state.parts[identity] ?? (count: 0, length: nil)
      state.parts[identity] = (count: known.count + 1, length: known.length)
      return known
    }
    guard known.count > 0 else { return !isExceeded }
    let length = known.length ?? max(Self.leastLength, JSONWriter.length(of: content(), upTo: limit + 1))
    if known.length == nil { state.withLock { $0.parts[identity] = (count: known.count + 1, length: length) } }
    return spend(length)
  }

  /// Counts a value that appears at one more place.
  ///
  /// - Returns: False if the bound is exceeded.
  package func use(_ value: Value) -> Bool {
    switch value {
    case .list, .map, .string, .bytes: !isExceeded && spend(JSONWriter.length(of: value, upTo: limit + 1))
    default: !isExceeded
    }
  }

  /// Returns how often a part has been used.
  package func count(of identity: String) -> Int { state.withLock { $0.parts[identity]?.count ?? 0 } }

  private func spend(_ length: Int) -> Bool {
    let isWithin = state.withLock { state in
      state.spent = min(state.spent + length, limit + 1)
      return state.spent <= limit
    }
    return total?.spend(length) ?? true && isWithin
  }
}
