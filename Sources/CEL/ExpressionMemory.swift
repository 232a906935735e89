/// The lists that are filled while an expression is read and checked: whoever reads many, one after the other, has them
/// once.
package final class ExpressionMemory {
  var bytes: [UInt8] = []
  var tokens: [Token] = []
  var nodes: [Syntax.Node] = []
  var ranges: [Range<Int>] = []
  var depths: [Int] = []
  var types: [CELType] = []
  var meanings: [Checker.Meaning] = []

  package init() {}

  /// Takes a list out of here, empty. NB: nobody else has it then, so that its memory is used again.
  static func emptied<Element>(_ list: inout [Element]) -> [Element] {
    var taken: [Element] = []
    swap(&taken, &list)
    taken.removeAll(keepingCapacity: true)
    return taken
  }
}
