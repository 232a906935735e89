package import CEL
package import StreamCore

/// The identity of an operator or a source, the same in two versions of a stream.
package struct NodeKey: Hashable, Sendable {
  private let file: String
  private let pointer: JSONPointer
  private let name: String

  /// - Parameters:
  ///   - file: The file that contains the operator or source.
  ///   - pointer: Its location in that file in the old version.
  ///   - name: The name of the operator or source.
  package init(file: String, pointer: JSONPointer, name: String) {
    self.file = file
    self.pointer = pointer
    self.name = name
  }
}

/// The correspondence between the parts of a new pipeline and those of an old one.
package struct SwapPlan {
  /// Returns the key of a part of the old pipeline.
  package let oldKey: (PipelineNode) -> NodeKey?
  /// Returns the key of the old part that continues as a part of the new pipeline; nil if the part starts again.
  package let newKey: (PipelineNode) -> NodeKey?
  /// Whether a part is a source: if a source starts again, so does everything upstream of it.
  package let isSource: (PipelineNode) -> Bool
  /// Converts a value to a type; nil if it cannot be converted.
  package let convert: (Value, CELType) -> Value?

  package init(
    oldKey: @escaping (PipelineNode) -> NodeKey?, newKey: @escaping (PipelineNode) -> NodeKey?,
    isSource: @escaping (PipelineNode) -> Bool, convert: @escaping (Value, CELType) -> Value?
  ) {
    self.oldKey = oldKey
    self.newKey = newKey
    self.isSource = isSource
    self.convert = convert
  }
}

/// The result of swapping a running stream.
package struct SwapResult {
  let saved: SavedExecution
  /// The state that the new version continues from.
  package var snapshot: Snapshot { Snapshot(saved: saved) }
  /// The fates of the operators and sources that were running, one for each.
  package let fates: [Fate]
  /// Calls whose results no stage awaits.
  package let canceledCalls: [Int64]

  /// The fate of an operator or a source that was running.
  package struct Fate {
    package let old: PipelineNode
    /// The part of the new pipeline that continues it; nil if it does not continue.
    package let new: PipelineNode?
    /// Whether it had a state when it was saved.
    package let hadState: Bool
    /// The reason why it does not continue although it is in the plan; nil if there is none.
    package let reason: SwapObstacle?
  }
}

/// The reason why a part does not continue although it is unchanged.
package enum SwapObstacle: Hashable, Sendable {
  /// An operator downstream subscribes to it later, or a source downstream restarts; its name and location.
  case behind(name: String, pointer: JSONPointer)
  /// It has received more demand than the stream needs now.
  case askedForMore
}

extension PipelineNode {
  /// The number of the input that the host feeds; nil for other nodes.
  package var inputNumber: Int? { (self as? InputNode)?.number }
  /// The name of the node that publishes the outputs of a file.
  package static let outputsName = "outputs"
  /// Whether it publishes the outputs of a file, each of which is an upstream.
  var isOfOutputs: Bool { name == Self.outputsName && pointer.tokens == [Self.outputsName] }
  /// The number of the shared stream; nil for other nodes.
  var sharedNumber: Int? { (self as? SharedNode)?.number }
}
