internal import CEL
internal import CLibrary
@_spi(Engine) package import StreamCore
package import StreamEngine

extension FileFormat {
  /// The lines of a recording.
  package static let recording = FileFormat("recording", extensions: [], "a recording") { RecordedLineReader($0) }
}

/// Reads the lines of a recording. Most of them are values of inputs, which are read without the object around them.
///
/// A line `{"at":1.5,"input":"a","value":7}` is read as its value, and `latest` has its input and its time. Other lines are
/// read unchanged.
///
/// - Memory: The longest value, and two records for each input.
package final class RecordedLineReader: FormatReader, @unchecked Sendable {  // used from one place at a time
  /// An input of the recording.
  private final class Input {
    let name: String
    /// The bytes between the time and the value.
    let prefix: [UInt8]
    /// Two readers take turns, since each reads into the record that it has returned last.
    let readers = (JSONLineReader(), JSONLineReader())
    var isSecond = false

    init(_ name: String) {
      self.name = name
      prefix = Array(",\"input\":\(JSONWriter.compact(.string(name))),\"value\":".utf8)
    }
  }

  @exclusivity(unchecked) private var cursor: FileCursor
  private let reader = JSONLineReader()
  @exclusivity(unchecked) private var inputs: [Input] = []
  /// A copy of a value, with padding.
  @exclusivity(unchecked) private var copy: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity = 1024
  @exclusivity(unchecked) private var start: FilePlace
  @exclusivity(unchecked) package private(set) var isPastProblem = false
  @exclusivity(unchecked) package private(set) var latestLine: PaddedBytes?
  /// The input and the time of the line read last; nil if it was read unchanged.
  @exclusivity(unchecked) package private(set) var latest: (input: String, time: StreamTime)?

  /// Maximum number of inputs whose values are read without the object around them.
  private static let inputLimit = 16
  private static let beginning = Array("{\"at\":".utf8)

  package var place: FilePlace { cursor.place }
  package var location: Diagnostic.Location { cursor.location(of: start) }
  package var isStarved: Bool { cursor.isStarved }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
    copy = .allocate(capacity: capacity + PaddedBytes.padding)
    copy.initialize(repeating: 0, count: capacity + PaddedBytes.padding)
  }

  deinit { copy.deallocate() }

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
      if let value = readValue(line.bytes) { return value }
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
  private func readValue(_ line: UnsafeBufferPointer<UInt8>) -> Value? {
    guard let base = line.baseAddress, line.count > Self.beginning.count, line.last == UInt8(ascii: "}"),
      Self.begins(base, line.count, with: Self.beginning)
    else { return nil }
    var place = Self.beginning.count
    guard let time = Self.time(line, &place) else { return nil }
    for input in inputs where Self.begins(base + place, line.count - place, with: input.prefix) {
      let first = place + input.prefix.count
      let count = line.count - 1 - first
      // NB: A tagged value contains a dollar sign.
      guard count > 0, memchr(base + first, Int32(UInt8(ascii: "$")), count) == nil else { return nil }
      reserve(count + 1)
      UnsafeMutableRawPointer(copy).copyMemory(from: base + first, byteCount: count)
      copy[count] = UInt8(ascii: "\n")
      input.isSecond.toggle()
      let reader = input.isSecond ? input.readers.1 : input.readers.0
      guard (try? reader.read(PaddedBytes(unsafe: copy, count: count))) != nil else { return nil }
      latest = (input.name, time)
      return reader.value.pointee
    }
    return nil
  }

  @inline(__always)
  private static func begins(_ bytes: UnsafePointer<UInt8>, _ count: Int, with prefix: [UInt8]) -> Bool {
    count >= prefix.count && memcmp(bytes, prefix, prefix.count) == 0
  }

  /// Reads seconds with up to nine digits after the point; nil for another number.
  @inline(__always)
  private static func time(_ line: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> StreamTime? {
    var (seconds, fraction, unit): (Int64, Int64, Int64) = (0, 0, 1_000_000_000)
    let first = place
    while place < line.count, line[place] &- UInt8(ascii: "0") < 10 {
      seconds = seconds &* 10 &+ Int64(line[place] &- UInt8(ascii: "0"))
      place += 1
    }
    // NB: At most eight digits, so that no number overflows. JSON has no leading zeros.
    guard place > first, place - first <= 8, place - first == 1 || line[first] != UInt8(ascii: "0") else { return nil }
    if place < line.count, line[place] == UInt8(ascii: ".") {
      place += 1
      while place < line.count, line[place] &- UInt8(ascii: "0") < 10, unit > 1 {
        unit /= 10
        fraction += Int64(line[place] &- UInt8(ascii: "0")) * unit
        place += 1
      }
      guard unit < 1_000_000_000 else { return nil }
    }
    guard place < line.count, line[place] == UInt8(ascii: ",") else { return nil }
    return StreamTime(nanoseconds: seconds * 1_000_000_000 + fraction)
  }

  private func reserve(_ count: Int) {
    guard count > capacity else { return }
    copy.deallocate()
    capacity = 2 * count
    copy = .allocate(capacity: capacity + PaddedBytes.padding)
    copy.initialize(repeating: 0, count: capacity + PaddedBytes.padding)
  }
}
