internal import CEL
internal import StreamCore
internal import StreamRuntime

extension RunSession {
  /// Hands lines to the stream that have been read already, as rows, for as long as they are; what is left is to be
  /// taken line by line. Gives how many were taken.
  func takeRows(of feed: InputFeed, atMost count: Int, at time: StreamTime) throws(RunStop) -> Int {
    guard let lane = rowLane(for: feed), lane.open(at: time), feed.readRows(lane.fields) else { return 0 }
    beginParts(of: feed)
    var taken = 0
    while taken < count, lane.isOpen, feed.nextRow() {
      taken += 1
      switch lane.hand(feed.rows, whole: { feed.wholeRow() }) {
      case .dropped: break
      case .emitted: try writeOutput(of: lane, feed)
      case .said:
        if let event = lane.event { try hear(event) }
        try drain()
        return taken
      }
    }
    return taken
  }

  /// Writes what has come of a row.
  @inline(__always)
  private func writeOutput(of lane: RowLane, _ feed: InputFeed) throws(RunStop) {
    switch lane.output {
    case .fields(let fields, of: let values): try write(fields, of: values)
    case .input: try writeRow(of: feed)
    case .value(let value): try write(value)
    }
  }
}
