/// Limits on the size and nesting of a JSON text.
///
/// ```swift
/// let document = try JSONDocument(reading: text, file: "request", limits: JSONLimits(depth: 32, bytes: 100_000))
/// ```
public struct JSONLimits: Hashable, Sendable {
  /// Maximum nesting of arrays and objects, in levels. 1 to 10,000; other values are clamped. Default 512.
  ///
  /// Reading, writing, comparing and hashing work at any depth on any thread. Releasing a value takes 200 bytes of
  /// stack per level: a thread with 512 KB of stack can hold values 2,000 levels deep, one with 8 MB any value.
  public var depth = 512 {
    didSet { depth = min(max(depth, 1), Self.greatestDepth) }
  }
  /// Maximum length of a text, in bytes. Default 64 MiB.
  public var bytes = 64 * 1024 * 1024
  /// Maximum number of values in a document; each string, number, Boolean, null, array and object counts. Default
  /// 4,000,000. Line-delimited values have no such limit.
  ///
  /// A document stores the location of every value, and editing tools build a tree of them, so small values take far
  /// more memory than their text.
  public var values = 4_000_000

  /// Upper bound of `depth`, low enough to walk a value recursively.
  public static let greatestDepth = 10_000

  /// Creates the default limits.
  public init() {}

  /// Creates limits; `depth` is clamped to 1 … 10,000.
  public init(depth: Int, bytes: Int = 64 * 1024 * 1024, values: Int = 4_000_000) {
    self.depth = min(max(depth, 1), Self.greatestDepth)
    self.bytes = bytes
    self.values = values
  }
}
