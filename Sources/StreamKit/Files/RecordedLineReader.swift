internal import CEL
@_spi(Engine) package import StreamCore
package import StreamEngine

extension FileFormat {
  /// The lines of a recording.
  package static let recording = FileFormat("recording", extensions: [], "a recording") {
    cursor, _ in RecordedLineReader(cursor)
  }
}

/// Reads the lines of a recording. Most of them are values of inputs, which are read without the object around them,
/// one by one or as rows.
///
/// A line `{"at":1.5,"input":"a","value":7}` is read as its value, and `latest` has its input and its time. Other lines
/// are read unchanged.
///
/// - Memory: The longest value, and a record and 64 rows for each input.
package final class RecordedLineReader: FormatReader, @unchecked Sendable {  // used from one place at a time
  /// An input of the recording.
  private final class Input {
    let name: String
    let format: TimedLineFormat
    /// The rows, which the format does not retain.
    var rows: LineRows?

    init(_ name: String) {
      self.name = name
      format = TimedLineFormat(input: name)
    }
  }

  @exclusivity(unchecked) private var cursor: FileCursor
  private let reader = JSONLineReader()
  @exclusivity(unchecked) private var inputs: [Input] = []
  /// The input whose values are read as rows.
  @exclusivity(unchecked) private var rowInput: Input?
  @exclusivity(unchecked) private var start: FilePlace
  @exclusivity(unchecked) package private(set) var isPastProblem = false
  @exclusivity(unchecked) package private(set) var latestLine: PaddedBytes?
  /// The input and the time of the line read last; nil if it was read unchanged.
  @exclusivity(unchecked) package private(set) var latest: (input: String, time: StreamTime)?

  /// Maximum number of inputs whose values are read without the object around them.
  private static let inputLimit = 16

  package var place: FilePlace { cursor.place }
  package var location: Diagnostic.Location { cursor.location(of: start) }
  package var isStarved: Bool { cursor.isStarved }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
  }

  package func rewind() { cursor.rewind() }

  package func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    while true {
      guard let line = try cursor.nextLine(&start) else {
        guard try cursor.skipLongLine(&start) else { return nil }
        isPastProblem = true
        throw cursor.tooLarge(at: start)
      }
      latestLine = line
      if line.isBlank { continue }
      if let value = readValue(line) { return value }
      latest = nil
      do throws(JSONError) {
        try reader.read(line)
      } catch {
        isPastProblem = true
        throw cursor.problem(error, in: Array(line.bytes), from: start)
      }
      learn(reader.value.pointee)
      return reader.value.pointee
    }
  }

  /// Knows the input of a line from now on.
  private func learn(_ line: Value) {
    guard inputs.count < Self.inputLimit, case .map(let map) = line, case .string(let name)? = map["input"],
      !inputs.contains(where: { $0.name == name })
    else { return }
    inputs.append(Input(name))
  }

  /// Reads the value of an input; nil if the line is another one, or is not exactly as it is written.
  private func readValue(_ line: PaddedBytes) -> Value? {
    for input in inputs {
      guard let value = input.format.opening.value(of: line) else { continue }
      // NB: A tagged value contains a dollar sign.
      guard !value.contains(UInt8(ascii: "$")), input.format.read(value) else { return nil }
      latest = (input.name, StreamTime(nanoseconds: input.format.opening.nanoseconds))
      return input.format.value
    }
    return nil
  }

  // MARK: Lines ahead

  /// The input and the time of the next line, if it has been read from the file and is the value of a known input.
  package var upcoming: (input: String, time: StreamTime)? {
    let rest = cursor.rest
    for input in inputs where input.format.opening.begins(rest) {
      return (input.name, StreamTime(nanoseconds: input.format.opening.nanoseconds))
    }
    return nil
  }

  /// Whether the next line has been read from the file, and is certainly none at which the stream is swapped.
  package var isFollowedByEvent: Bool { isEvent(cursor.rest) }

  /// Whether a text begins with a line at which the stream is certainly not swapped.
  private func isEvent(_ text: PaddedBytes) -> Bool {
    inputs.contains { $0.format.opening.begins(text) }
      || TimedLineOpening.hasTime(text, before: ",\"timer\":true}")
      || TimedLineOpening.hasTime(text, before: ",\"call\":")
      || TimedLineOpening.hasTime(text, before: "}")
  }

  // MARK: Rows

  /// Reads the values of an input as rows from now on.
  package func readRows(of name: String) { rowInput = inputs.first { $0.name == name } }

  /// The times of the lines that are read as rows.
  package var rowTimes: ClosedRange<StreamTime> {
    get {
      let times = rowInput?.format.opening.rowTimes ?? 0...0
      return StreamTime(nanoseconds: times.lowerBound)...StreamTime(nanoseconds: times.upperBound)
    }
    set { rowInput?.format.opening.rowTimes = newValue.lowerBound.nanoseconds...newValue.upperBound.nanoseconds }
  }

  package func rows(of fields: RowFields) -> LineRows? {
    guard let rowInput else { return nil }
    let rows = rowInput.format.readRows(fields)
    rowInput.rows = rows
    return rows
  }

  package func readRows(_ rows: LineRows, atMost limit: Int) {
    cursor.read(into: rows, atMost: limit)
    guard rows.count > 0 else { return }
    // NB: The stream may be swapped before it has finished its work for the last line.
    if !isEvent(cursor.rest(after: Self.wholeLine(rows.line(of: rows.count - 1)))) { rows.keep(first: rows.count - 1) }
  }

  package func passRows(_ count: Int, endingWith last: PaddedBytes) {
    cursor.passLines(count, endingWith: Self.wholeLine(last))
    latestLine = nil
  }

  /// Returns a line from its value on, with its line break.
  private static func wholeLine(_ row: PaddedBytes) -> PaddedBytes { row.extended(by: 1) }
}
