/// Reusable buffers for parsing and checking: a caller that processes many expressions in sequence allocates them once.
/// Bounds what these expressions take together.
package final class ExpressionMemory {
  var bytes: [UInt8] = []
  var tokens: [Token] = []
  var nodes: [Syntax.Node] = []
  var ranges: [Range<Int>] = []
  var depths: [Int] = []
  var types: [CELType] = []
  var meanings: [Checker.Meaning] = []
  /// Number of instructions of the regular expressions in literals. A pattern such as `(a{99}){99}` has a thousand for each
  /// of its characters.
  var patternSize = 0

  /// Maximum number of these instructions.
  static let patternLimit = 1_000_000

  package init() {}

  /// Moves a list out of its buffer and empties it. NB: The result is the only reference, so its storage is reused.
  static func emptied<Element>(_ list: inout [Element]) -> [Element] {
    var taken: [Element] = []
    swap(&taken, &list)
    taken.removeAll(keepingCapacity: true)
    return taken
  }
}
