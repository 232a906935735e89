package import CEL
package import StreamCore

/// What tells an operator or a source from every other one, the same in two versions of a stream.
package struct NodeKey: Hashable, Sendable {
  private let file: String
  private let pointer: JSONPointer
  private let name: String

  /// - Parameters:
  ///   - file: the file that it stands in.
  ///   - pointer: its place in that file, as it was in the old version.
  ///   - name: what it is.
  package init(file: String, pointer: JSONPointer, name: String) {
    self.file = file
    self.pointer = pointer
    self.name = name
  }
}

/// Which parts of a new pipeline are which of an old one.
package struct SwapPlan {
  /// The key of a part of the old pipeline.
  package let oldKey: (PipelineNode) -> NodeKey?
  /// The key of the part of the old pipeline that it goes on as; nil if it begins anew.
  package let newKey: (PipelineNode) -> NodeKey?
  /// Whether it is a source: what is upstream of one that begins anew does so too.
  package let isSource: (PipelineNode) -> Bool
  /// A value as one of this type; nil if it is none.
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

/// What has become of a running stream that was swapped.
package struct SwapResult {
  let saved: SavedExecution
  /// The state that the new version continues from.
  package var snapshot: Snapshot { Snapshot(saved: saved) }
  /// Every operator and source that was at work, once.
  package let fates: [Fate]
  /// Calls that nobody waits for any more.
  package let canceledCalls: [Int64]

  /// What has become of an operator or a source that was at work.
  package struct Fate {
    package let old: PipelineNode
    /// As what it goes on; nil if it does not.
    package let new: PipelineNode?
    /// Whether it kept anything when it was saved.
    package let hadState: Bool
    /// Why it does not go on though the plan says so.
    package let reason: SwapObstacle?
  }
}

/// Why a part does not go on though it is the same.
package enum SwapObstacle: Hashable, Sendable {
  /// An operator downstream subscribes to it later, or a source downstream restarts; its name and location.
  case behind(name: String, pointer: JSONPointer)
  /// It has received more demand than the stream needs now.
  case askedForMore
}

extension PipelineNode {
  /// The number of the input that the host feeds, where it is one.
  package var inputNumber: Int? { (self as? InputNode)?.number }
  /// The number of the shared stream, where it is one.
  var sharedNumber: Int? { (self as? SharedNode)?.number }
}
