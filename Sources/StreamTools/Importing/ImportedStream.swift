public import StreamCore
internal import StreamKit

/// A stream of the playground, in format 1.
public struct ImportedStream: Sendable {
  /// Its name, where it had one.
  public let name: String?
  /// The stream file, keys in the order in which they are written.
  public let model: Value
  /// What was assumed, repaired or left out: notes and warnings whose pointers lead into the **old** file.
  public let notes: [Diagnostic]
  /// Which generation of the playground wrote it, as far as its shape tells: `G0`, `G1`, `G1b`, `G2` … `G5`.
  public let generation: String
}
