internal import StreamEngine
internal import StreamKit

/// Positions of the marks in a diagram. Simultaneous events share a column.
struct PictureLayout {
  /// An instant at which something happens.
  struct Column {
    let time: StreamTime
    /// The marks on each line.
    var cells: [[PictureMark]]
    /// From the end of the column before; the unit is the renderer's.
    var gap = 0
    /// Whether the gap is shorter than the time would have it.
    var isBroken = false
    var width = 0
  }

  /// The units for distributing space.
  struct Measure {
    /// Available width for all columns.
    let room: Int
    let leastGap: Int
    let greatestGap: Int
    /// The gap of the usual time between two instants.
    let usualGap: Int
    /// The most marks of a cell.
    let markLimit: Int
    let width: ([PictureMark]) -> Int
  }

  private(set) var columns: [Column]

  init(_ lanes: [TimelineDiagram.Lane], _ labels: inout PictureLabels, _ measure: Measure) {
    let times = Set(lanes.flatMap(\.events).map(\.time)).sorted()
    columns = []
    var next = lanes.map { _ in 0 }
    for time in times {
      var column = Column(time: time, cells: lanes.map { _ in [] })
      for (row, lane) in lanes.enumerated() {
        while next[row] < lane.events.count, lane.events[next[row]].time <= time {
          if let mark = labels.mark(of: lane.events[next[row]].event) { column.cells[row].append(mark) }
          next[row] += 1
        }
        column.cells[row] = Self.shortened(column.cells[row], to: measure.markLimit)
      }
      column.width = column.cells.lazy.filter { !$0.isEmpty }.map(measure.width).max() ?? 0
      columns.append(column)
    }
    setGaps(measure)
  }

  /// Sets gaps in proportion to time: as wide as the room permits, between the least and the greatest readable gap.
  private mutating func setGaps(_ measure: Measure) {
    var before = StreamTime.zero
    var spans: [Int64] = []
    for column in columns {
      spans.append((column.time - before).nanoseconds)
      before = column.time
    }
    let positive = spans.filter { $0 > 0 }.sorted()
    guard !positive.isEmpty else { return }
    let usual = Double(positive[positive.count / 2])
    let total = positive.reduce(0.0) { $0 + Double($1) }
    let rest = measure.room - columns.reduce(0) { $0 + $1.width + measure.leastGap / 2 }
    let scale = min(Double(measure.usualGap) / usual, Double(max(rest, 0)) / total)
    for (index, span) in spans.enumerated() where span > 0 {
      let wanted = (Double(span) * scale).rounded()
      columns[index].gap = Int(min(max(wanted, Double(measure.leastGap)), Double(measure.greatestGap)))
      columns[index].isBroken = wanted > Double(measure.greatestGap) * 1.5
    }
  }

  /// Shortens many marks at one instant to the first of them, the number of the others, and the end.
  private static func shortened(_ marks: [PictureMark], to limit: Int) -> [PictureMark] {
    guard marks.count > limit, let last = marks.last else { return marks }
    let end = last.kind == .finished || last.kind == .failure ? [last] : []
    let shown = max(limit - 1 - end.count, 1)
    let more = marks.count - shown - end.count
    return Array(marks.prefix(shown)) + [PictureMark(kind: .more, label: "+\(more)")] + end
  }

  /// The end of each line; nil for a stream that continues. A line without a subscriber ends before everything else.
  static func endings(_ lanes: [TimelineDiagram.Lane]) -> [StreamTime?] {
    lanes.map { lane in
      guard lane.isSubscribed else { return StreamTime(nanoseconds: -1) }
      switch lane.events.last?.event {
      case .finished, .failure: return lane.events.last?.time
      default: return nil
      }
    }
  }
}

extension StreamTime {
  /// The instant as an axis names it: `0`, `250ms`, `1.35s`, `2m30s`, `1h5m`.
  var axisText: String {
    let nanoseconds = max(nanoseconds, 0)
    if nanoseconds == 0 { return "0" }
    if nanoseconds < 1_000_000_000 {
      return MarbleRenderer.text(of: Interval(nanoseconds: nanoseconds))
    }
    let whole = nanoseconds / 1_000_000_000
    let milliseconds = nanoseconds % 1_000_000_000 / 1_000_000
    let (hours, minutes, seconds) = (whole / 3_600, whole / 60 % 60, whole % 60)
    var text = hours > 0 ? "\(hours)h" : ""
    if minutes > 0 { text += "\(minutes)m" }
    guard seconds > 0 || milliseconds > 0 else { return text }
    text += "\(seconds)"
    if milliseconds > 0 {
      var digits = String(String(1_000 + milliseconds).dropFirst())
      while digits.last == "0" { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "s"
  }
}
