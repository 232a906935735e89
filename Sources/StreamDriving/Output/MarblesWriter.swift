internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Records the output of a stream and draws a diagram at the end.
///
/// - Memory: Grows with the number of values.
final class MarblesWriter: ValueWriter {
  private let resolution: Interval
  private var history = History()

  var writesTimes: Bool { true }

  /// - Parameter isLive: whether times are those of the clock; they are drawn in whole milliseconds.
  private(set) var hasNonFinite = false

  init(isLive: Bool) { resolution = Interval(nanoseconds: isLive ? 1_000_000 : 1) }

  private var limit = Int.max
  func bound(to bytes: Int) { limit = bytes }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    var text: [UInt8] = []
    // The diagram is made at the end, where it would be too late.
    let extent = JSONWriter.append(value, to: &text, upTo: limit)
    if extent.hasNonFinite { hasNonFinite = true }
    guard extent.isWhole else { throw .tooLongValue(ByteCount(limit)) }
    if let name = extent.repeatedName { throw JSONWriter.repeated(name) }
    history.events.append(History.Event(time, .value(value)))
  }

  func finish(_ end: StreamEnd, to output: OutputBuffer) {
    if let event = end.event { history.events.append(History.Event(end.time, event)) }
    let drawing = MarbleRenderer.render(history, resolution: resolution)
    output.appendLine(drawing.diagram)
    output.appendLine("- = \(MarbleRenderer.text(of: drawing.frame))")
    for entry in drawing.legend { output.appendLine("\(entry.symbol) = \(JSONWriter.compact(entry.value))") }
    if case .failure(let failure)? = end.event {
      output.appendLine("# = \(JSONWriter.beginning(of: failure.errorValue, bytes: limit))")
    }
  }
}
