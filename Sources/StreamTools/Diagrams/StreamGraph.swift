public import StreamCore

/// The connections between the streams, inputs and operators of a file and of the files it refers to.
///
/// A named stream is a single node, however many operators use it, and so is the stream of a file.
public struct StreamGraph: Sendable {
  /// The nodes, each before the nodes it feeds, as far as the order of the file permits.
  public internal(set) var nodes: [Node] = []
  public internal(set) var edges: [Edge] = []

  public struct Node: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case input, source, `operator`, stream, output
    }

    public let kind: Kind
    /// The name of an input, a stream, a file, a source or an operator.
    public let name: String
    /// A summary of its fields; empty if there is nothing to show.
    public let detail: String
    /// Location in the file.
    public let pointer: JSONPointer
  }

  public struct Edge: Hashable, Sendable {
    /// Index of a node.
    public let from: Int
    public let to: Int
    /// Whether the stream is started for values or fed by the operator, instead of running beside its upstream.
    public let isInner: Bool
  }
}
