internal import CEL
internal import StreamCore

/// The likely types of the values that a segment computes with, which are more specific than the certain ones.
struct TypeFeedback: Hashable {
  /// The likely type of the input; nil if unknown.
  var input: CELType?
  /// The likely types of the cells, in order of creation.
  var cells: [CELType?] = []

  /// Predicts nothing of the records in cells. Returns false if there are none.
  mutating func forgetRecords() -> Bool {
    var isChanged = false
    for place in cells.indices {
      guard case .record? = cells[place] else { continue }
      cells[place] = .dyn
      isChanged = true
    }
    return isChanged
  }
}
