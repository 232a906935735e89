/// How large and how deep a JSON text may be before it is refused.
public struct JSONLimits: Hashable, Sendable {
  /// Deepest nesting of lists and objects. 1 to 10,000; what lies outside becomes the nearest. Default 512.
  ///
  /// Reading, writing, comparing and hashing are done at any depth on any thread. Releasing a value takes 200 bytes of
  /// stack a level: a thread with 512 KB of stack holds values that are 2,000 deep, one with 8 MB any.
  public var depth = 512 {
    didSet { depth = min(max(depth, 1), Self.greatestDepth) }
  }
  /// Longest text, in bytes. Default 64 MiB.
  public var bytes = 64 * 1024 * 1024
  /// Most values in a document: each string, number, boolean, null, array and object is one. Default 4,000,000. Lines
  /// of values have no such limit.
  ///
  /// A document keeps the place of each of its values, and tools keep a tree of them: small values take far more memory
  /// than text.
  public var values = 4_000_000

  /// No `depth` is above this, so that walking a value recursively stays possible.
  public static let greatestDepth = 10_000

  /// The default limits.
  public init() {}

  /// These limits; `depth` is held between 1 and 10,000.
  public init(depth: Int, bytes: Int = 64 * 1024 * 1024, values: Int = 4_000_000) {
    self.depth = min(max(depth, 1), Self.greatestDepth)
    self.bytes = bytes
    self.values = values
  }
}
