public import StreamCore

/// A stream of the playground, converted to format 1.
public struct ImportedStream: Sendable {
  /// The name of the stream, if it had one.
  public let name: String?
  /// The stream file, with keys in the order they are written.
  public let model: Value
  /// Notes and warnings about assumptions, repairs and omissions; their pointers refer to the **old** file.
  public let notes: [Diagnostic]
  /// The generation of the playground that wrote it, as far as its form reveals: `G0`, `G1`, `G1b`, `G2` … `G5`.
  public let generation: String
}
