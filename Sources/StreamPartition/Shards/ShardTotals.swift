internal import StreamCore

/// The numbers of records and outputs of shards since their beginning.
struct ShardTotals {
  private(set) var records = 0
  private(set) var outputs = 0
  private(set) var late = 0
  private(set) var skipped = 0

  init() {}

  init(_ meta: ShardMeta) {
    (records, outputs) = (Int(meta.records), Int(meta.outputs))
    (late, skipped) = (Int(meta.late), Int(meta.failures))
  }

  static func += (sum: inout ShardTotals, other: ShardTotals) {
    sum.records += other.records
    sum.outputs += other.outputs
    sum.late += other.late
    sum.skipped += other.skipped
  }

  /// The numbers, for people. Those of late and skipped records are left out if they are 0.
  var text: String {
    var text = "\(records.counted("record")), \(outputs.counted("result"))"
    if late > 0 { text += ", \(late) late" }
    if skipped > 0 { text += ", \(skipped) skipped" }
    return text
  }
}
