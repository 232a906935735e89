internal import StreamEngine
internal import StreamKit

extension TimelineDiagram {
  /// Returns the marble diagram as text: a line for each stream, a time axis, and a legend.
  ///
  /// - Parameters:
  ///   - width: Columns of the terminal. Default 100; a longer diagram continues below.
  ///   - isASCII: Whether to draw lines with `-` and `>`.
  public func text(width: Int = 100, isASCII: Bool = false) -> String {
    PictureText(self, width: width, isASCII: isASCII).text
  }
}

/// Writes a picture as text.
private struct PictureText {
  private let picture: TimelineDiagram
  private let layout: PictureLayout
  private let labels: PictureLabels
  private let titleWidth: Int
  private let room: Int
  private let line: Character
  private let brokenLine: Character
  private let arrow: String
  private let ellipsis: String
  private let isASCII: Bool

  /// The most characters of a title.
  private static let titleLimit = 32

  init(_ picture: TimelineDiagram, width: Int, isASCII: Bool) {
    self.picture = picture
    (line, brokenLine, arrow, ellipsis) = isASCII ? ("-", ".", "->", "...") : ("─", "┄", "─▶", "…")
    self.isASCII = isASCII
    titleWidth = picture.lanes.map { Self.title(of: $0, isASCII: isASCII).columns }.max() ?? 0
    room = max(width - titleWidth - 2 - 4, 20)
    var labels = PictureLabels(limit: 14)
    layout = PictureLayout(
      picture.lanes, &labels,
      PictureLayout.Measure(
        room: room, leastGap: 2, greatestGap: 18, usualGap: 8, markLimit: 12,
        width: { marks in Self.cell(marks).columns }))
    self.labels = labels
  }

  private func title(of lane: TimelineDiagram.Lane) -> String { Self.title(of: lane, isASCII: isASCII) }

  /// A title that is not too long, without our own signs beyond ASCII if there are to be none.
  private static func title(of lane: TimelineDiagram.Lane, isASCII: Bool) -> String {
    let title = FieldText.shortened(lane.title, to: titleLimit)
    let signs: [Character: String] = ["→": "->", "·": "/", "›": ">", "…": "..."]
    return isASCII ? title.map { signs[$0] ?? String($0) }.joined() : title
  }

  var text: String {
    var lines: [String] = []
    for band in bands {
      if !lines.isEmpty { lines.append("") }
      lines += draw(band)
    }
    lines += notes
    return lines.map { line in
      line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
    }.joined(separator: "\n")
  }

  /// The columns of each row.
  private var bands: [Range<Int>] {
    var bands: [Range<Int>] = []
    var start = 0
    var used = 0
    for (index, column) in layout.columns.enumerated() {
      let need = column.gap + column.width + 1
      if index > start, used + need > room {
        bands.append(start..<index)
        (start, used) = (index, 0)
      }
      used += need
    }
    return bands + [start..<layout.columns.count]
  }

  private func draw(_ band: Range<Int>) -> [String] {
    let endings = PictureLayout.endings(picture.lanes)
    var lines = picture.lanes.enumerated().map { row, lane in
      title(of: lane).filled(to: titleWidth) + "  "
        + self.lane(row, band, until: endings[row])
    }
    var axis = String(repeating: " ", count: titleWidth + 2)
    var place = titleWidth + 2
    for column in layout.columns[band] {
      place += column.gap + 1
      let mark = column.time.axisText
      // A mark is drawn below its column, or not at all.
      if axis.isEmpty || axis.count < place || (axis.count == place && axis.last == " ") {
        axis += String(repeating: " ", count: place - axis.count) + mark
      }
      place += column.width
    }
    lines.append(axis)
    return lines
  }

  private func lane(_ row: Int, _ band: Range<Int>, until ending: StreamTime?) -> String {
    if !picture.lanes[row].isSubscribed { return band.lowerBound == 0 ? "(never subscribed to)" : "" }
    var text = ""
    for index in band {
      let column = layout.columns[index]
      let isOver = ending.map { $0 < column.time } ?? false
      let filling = isOver ? " " : column.isBroken ? brokenLine : line
      text += String(repeating: isOver ? " " : line, count: 1) + String(repeating: filling, count: column.gap)
      let cell = Self.cell(column.cells[row])
      text += cell
      let ends = ending.map { $0 <= column.time } ?? false
      text += String(repeating: ends ? " " : line, count: column.width - cell.columns)
    }
    let isLast = band.upperBound == layout.columns.count
    if isLast {
      if ending == nil { text += arrow }
    } else if ending.map({ $0 > layout.columns[band.upperBound - 1].time }) ?? true {
      text += ellipsis
    }
    return text
  }

  /// Returns the marks of one instant: one mark unchanged, several in brackets.
  private static func cell(_ marks: [PictureMark]) -> String {
    marks.count > 1 ? "[\(marks.map(\.label).joined(separator: " "))]" : marks.first?.label ?? ""
  }

  /// The legend, the failures, and a note that the stream continues.
  private var notes: [String] {
    var notes: [String] = []
    let width = labels.legend.map(\.letter.count).max() ?? 0
    for entry in labels.legend {
      notes.append("\(entry.letter.filled(to: width)) = \(FieldText.shortened(entry.text, to: 400))")
    }
    var told: Set<String> = []
    for lane in picture.lanes {
      guard case .failure(let failure)? = lane.events.last?.event else { continue }
      if told.insert(failure.message).inserted { notes.append("# = \(failure.message)") }
    }
    if picture.isCut { notes.append("(it goes on)") }
    return notes.isEmpty ? [] : [""] + notes
  }
}
