/// Records that a stage delivers up to an instant.
struct StageWork {
  var records: HeldRecords
  /// The index of the next record; `Int.max` once all is done.
  var next = 0
  let end: Int64
  /// The time of the end of the input; nil before the end.
  let finish: Int64?
  /// Whether the engine was interrupted by a full buffer.
  var isInterrupted = false
  /// Whether streams have been finished.
  var isEnding = false

  init(records: HeldRecords, end: Int64, finish: Int64?) {
    self.records = records
    self.end = end
    self.finish = finish
  }

  var isOver: Bool {
    get { next == .max }
    set { if newValue { next = .max } }
  }
}
