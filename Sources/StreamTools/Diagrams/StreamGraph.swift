public import StreamCore
internal import StreamKit

/// How the streams, inputs and operators of a file, and of the files that it refers to, are connected.
///
/// A named stream is one node, however many take it, and so is the stream of a file.
public struct StreamGraph: Sendable {
  /// Each before those that it feeds, as far as the file has them in that order.
  public internal(set) var nodes: [Node] = []
  public internal(set) var edges: [Edge] = []

  public struct Node: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case input, source, `operator`, stream, output
    }

    public let kind: Kind
    /// The name of an input, a stream, a file, a source or an operator.
    public let name: String
    /// What its fields say, in short; empty where there is nothing to say.
    public let detail: String
    /// Where it stands in the file.
    public let pointer: JSONPointer
  }

  public struct Edge: Hashable, Sendable {
    /// Numbers of nodes.
    public let from: Int
    public let to: Int
    /// Whether the stream is started for values, or fed by the operator, rather than beside its upstream.
    public let isInner: Bool
  }
}
