internal import CEL
package import StreamCore

/// The records that have been read of an input and not delivered, and the time that its records have reached.
package struct SavedOrder: Codable, Sendable {
  /// The name of the input.
  package var input: String
  /// The record that comes next, if it is known.
  package var head: SavedRecord?
  /// The records that the watermark has not passed, in the order in which they were read.
  package var held: [SavedRecord]
  /// The latest time so far.
  package var latest: Timestamp?
  /// The newest time that the watermark has seen, in nanoseconds since 1970; nil without a watermark, or before a record.
  package var newest: Int64?
  package var lateCount: Int
  /// The records whose times are not confirmed; nil if there are none.
  package var waiting: [SavedRecord]?

  package struct SavedRecord: Codable, Sendable {
    package var time: Timestamp
    package var value: Value
    /// True for a record that goes to the input for late values. Nil otherwise.
    package var isLate: Bool?

    init(_ record: RecordOrder.Record) {
      (time, value, isLate) = (record.time, record.value, record.isLate ? true : nil)
    }

    var record: RecordOrder.Record { RecordOrder.Record(time: time, value: value, isLate: isLate ?? false) }
  }
}

extension RecordOrder {
  /// Returns what has been read and not delivered.
  package func saved(for input: String) -> SavedOrder {
    SavedOrder(
      input: input, head: head.map(SavedOrder.SavedRecord.init), held: heldRecords, latest: latest,
      newest: newestTime, lateCount: lateCount,
      waiting: firsts.flatMap { firsts in
        firsts.waiting.isEmpty
          ? nil : firsts.waiting.map { SavedOrder.SavedRecord(Record(time: $0.time, value: $0.value)) }
      })
  }
}
