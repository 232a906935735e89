internal import StreamEngine
internal import StreamKit

extension TimelineDiagram {
  /// Returns the marble diagram as SVG: values as balls on time lines, completions as bars, failures as crosses.
  ///
  /// - Parameter title: A description of the picture for screen readers.
  public func svg(title: String) -> String { PictureSVG(self).svg(title: title) }
}

/// Draws a picture as SVG.
private struct PictureSVG {
  private let picture: TimelineDiagram
  private let layout: PictureLayout
  private let labels: PictureLabels
  /// Position of time zero, in pixels.
  private let left: Int
  /// The middle of each column.
  private let middles: [Int]
  private let right: Int
  /// Maximum number of characters of a stage's summary, limited by the longest title.
  private let detailLimit: Int

  private static let titleLimit = 60
  private static let leastDetail = 30
  private static let laneHeight = 58
  private static let ballHeight = 30
  /// Between two balls of one instant.
  private static let ballGap = 3
  private static let top = 14

  init(_ picture: TimelineDiagram) {
    self.picture = picture
    var labels = PictureLabels(limit: 12)
    layout = PictureLayout(
      picture.lanes, &labels,
      PictureLayout.Measure(
        room: 900, leastGap: 14, greatestGap: 220, usualGap: 90, markLimit: 12, width: Self.width))
    self.labels = labels
    let heads = picture.lanes.map { lane in
      let detail = FieldText.shortened(lane.detail, to: Self.leastDetail)
      return max(SVGWriter.width(of: Self.title(lane)), SVGWriter.width(of: detail, isSmall: true))
    }
    let head = heads.max() ?? 0
    detailLimit = max(Self.leastDetail, Int(Double(head) / SVGWriter.smallCharacterWidth))
    left = 16 + head + 20
    var place = left + 12
    var middles: [Int] = []
    for column in layout.columns {
      place += column.gap
      middles.append(place + column.width / 2)
      place += column.width + 6
    }
    self.middles = middles
    right = place + 44
  }

  private static func title(_ lane: TimelineDiagram.Lane) -> String { FieldText.shortened(lane.title, to: titleLimit) }

  // MARK: Measures

  private static func width(of mark: PictureMark) -> Int {
    switch mark.kind {
    case .finished: 8
    case .failure: 20
    default: max(ballHeight, SVGWriter.width(of: mark.label) + 16)
    }
  }

  private static func width(_ marks: [PictureMark]) -> Int {
    marks.reduce(0) { $0 + width(of: $1) } + max(marks.count - 1, 0) * ballGap
  }

  // MARK: Drawing

  func svg(title: String) -> String {
    var writer = SVGWriter()
    let axisY = Self.top + picture.lanes.count * Self.laneHeight + 8
    drawAxis(axisY, &writer)
    let endings = PictureLayout.endings(picture.lanes)
    for (row, lane) in picture.lanes.enumerated() {
      draw(lane, row, until: endings[row], &writer)
    }
    let (bottom, width) = drawNotes(below: axisY + 34, &writer)
    return writer.document(width: max(right + 16, width), height: bottom, title: title)
  }

  private func drawAxis(_ y: Int, _ writer: inout SVGWriter) {
    var free = Int.min
    for (index, column) in layout.columns.enumerated() {
      writer.line(middles[index], Self.top, middles[index], y, "axis")
      let mark = column.time.axisText
      let width = SVGWriter.width(of: mark, isSmall: true)
      guard middles[index] - width / 2 > free else { continue }
      writer.text(mark, middles[index], y + 14, "small", anchor: .middle)
      free = middles[index] + width / 2 + 6
    }
  }

  private func draw(_ lane: TimelineDiagram.Lane, _ row: Int, until ending: StreamTime?, _ writer: inout SVGWriter) {
    let y = Self.top + row * Self.laneHeight + Self.laneHeight / 2
    let detail = FieldText.shortened(lane.detail, to: detailLimit)
    writer.text(Self.title(lane), 16, detail.isEmpty ? y + 4 : y - 2, "title")
    if !detail.isEmpty { writer.text(detail, 16, y + 14, "small") }
    if !lane.isSubscribed { return writer.text("(never subscribed to)", left, y + 4, "small") }
    var from = left
    for (index, column) in layout.columns.enumerated() {
      if let ending, column.time > ending { break }
      if column.isBroken {
        let begin = middles[index] - column.width / 2 - column.gap * 2 / 3
        let end = begin + column.gap / 3
        writer.line(from, y, begin, y, "time")
        writer.line(begin, y, end, y, "broken")
        from = end
      }
      writer.line(from, y, middles[index], y, "time")
      from = middles[index]
    }
    if ending == nil {
      writer.line(from, y, right - 8, y, "time")
      writer.arrowHead(right, y, "head")
    }
    for (index, column) in layout.columns.enumerated() { draw(column.cells[row], middles[index], y, &writer) }
  }

  /// Draws the marks of one instant: side by side, on a common background if there are several.
  private func draw(_ marks: [PictureMark], _ middle: Int, _ y: Int, _ writer: inout SVGWriter) {
    let width = Self.width(marks)
    var x = middle - width / 2
    if marks.count > 1 {
      writer.box(x - 4, y - 19, width + 8, 38, radius: 19, "instant")
    }
    for mark in marks {
      draw(mark, x, y, &writer)
      x += Self.width(of: mark) + Self.ballGap
    }
  }

  private func draw(_ mark: PictureMark, _ x: Int, _ y: Int, _ writer: inout SVGWriter) {
    let width = Self.width(of: mark)
    switch mark.kind {
    case .finished: writer.line(x + width / 2, y - 14, x + width / 2, y + 14, "end")
    case .failure:
      writer.path("M\(x + 2) \(y - 8)L\(x + 18) \(y + 8)M\(x + 18) \(y - 8)L\(x + 2) \(y + 8)", "failure")
    default:
      let half = Self.ballHeight / 2
      writer.box(x, y - half, width, Self.ballHeight, radius: half, mark.kind.style)
      writer.text(mark.label, x + width / 2, y + 4, "on", anchor: .middle)
    }
  }

  /// Draws the legend and the failures. Returns the right and bottom edges.
  private func drawNotes(below top: Int, _ writer: inout SVGWriter) -> (bottom: Int, width: Int) {
    var y = top
    var width = 0
    func note(_ text: String, _ x: Int) {
      writer.text(text, x, y + 4, "small")
      width = max(width, x + SVGWriter.width(of: text, isSmall: true) + 16)
      y += 26
    }
    for entry in labels.legend {
      let ball = max(22, SVGWriter.width(of: entry.letter) + 12)
      writer.box(16, y - 11, ball, 22, radius: 11, entry.kind.style)
      writer.text(entry.letter, 16 + ball / 2, y + 4, "on", anchor: .middle)
      note(FieldText.shortened(entry.text, to: 110), 16 + ball + 10)
    }
    var told: Set<String> = []
    for lane in picture.lanes {
      guard case .failure(let failure)? = lane.events.last?.event, told.insert(failure.message).inserted else {
        continue
      }
      writer.path("M21 \(y - 6)L33 \(y + 6)M33 \(y - 6)L21 \(y + 6)", "failure")
      note(FieldText.shortened(failure.message, to: 110), 48)
    }
    if picture.isCut { note("it goes on", 16) }
    return (y, width)
  }
}

extension PictureMark.Kind {
  /// The class of its ball.
  fileprivate var style: String {
    switch self {
    case .number: "number"
    case .text: "string"
    case .truth: "truth"
    case .list: "list"
    case .object: "object"
    case .other, .more, .finished, .failure: "other"
    }
  }
}
