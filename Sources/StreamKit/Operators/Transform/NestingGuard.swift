internal import StreamCore
internal import StreamRuntime

/// Refuses values that nest deeper and deeper, as those may that are made of the ones before: they would end in a stack
/// overflow.
///
/// One step adds a bounded number of levels, so looking now and then is enough.
struct NestingGuard: Codable, Sendable {
  private var count = 0

  /// As deep as a file may be.
  private static let depthLimit = JSONLimits().depth

  mutating func check(_ value: Value, owner: String) throws(StreamFailure) {
    if count & 15 == 15, value.isDeeper(than: Self.depthLimit) {
      throw StreamFailure(
        .limitExceeded, "what '\(owner)' accumulates is nested more than \(Self.depthLimit) levels deep", value: value)
    }
    count &+= 1
  }
}
