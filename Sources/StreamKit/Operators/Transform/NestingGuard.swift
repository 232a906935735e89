internal import StreamCore
internal import StreamEngine

/// Detects values that are built from previous ones and nest ever deeper, before they overflow the stack.
///
/// One step adds a bounded number of levels, so checking every 16th value is enough.
struct NestingGuard: Codable, Sendable {
  private var count = 0

  /// The depth limit of JSON files.
  private static let depthLimit = JSONLimits().depth

  mutating func check(_ value: Value, owner: String) throws(StreamFailure) {
    if count & 15 == 15, value.isDeeper(than: Self.depthLimit) {
      throw StreamFailure(
        .limitExceeded, "the values of '\(owner)' are nested more than \(Self.depthLimit) levels deep", value: value)
    }
    count &+= 1
  }
}
