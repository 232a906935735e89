internal import CLibrary

/// The bytes before the value in a line that has a time and a name beside its value, such as
/// `{"at":1.5,"input":"a","value":{"x":7}}`.
///
/// Consecutive lines often have the same time: the bytes are compared with those of the line before.
///
/// `@unchecked`: used from one place at a time.
package final class TimedLineOpening: @unchecked Sendable {
  /// The bytes between the time and the value.
  private let members: UnsafeMutablePointer<UInt8>
  private let memberCount: Int
  /// The bytes before the value of the line passed last, their number and its time.
  private let latest: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) package private(set) var nanoseconds: Int64 = 0
  /// The times of lines that are read into rows, in nanoseconds.
  @exclusivity(unchecked) package var rowTimes = Int64.min...Int64.max
  /// The times of the rows read last.
  private let times: UnsafeMutablePointer<Int64>
  @exclusivity(unchecked) private var rowCount = 0

  private static let beginning: StaticString = "{\"at\":"
  /// Maximum number of bytes of a time that is read here.
  private static let longestTime = 18

  /// - Parameter name: The value of the member `input`.
  package init(input name: String) {
    let text = Array(",\"input\":\(JSONWriter.compact(.string(name))),\"value\":".utf8)
    memberCount = text.count
    members = .allocate(capacity: text.count)
    for (place, byte) in text.enumerated() { (members + place).initialize(to: byte) }
    latest = .allocate(capacity: Self.beginning.utf8CodeUnitCount + Self.longestTime + text.count)
    times = .allocate(capacity: LineRows.capacity)
  }

  // All are trivial: nothing to deinitialize.
  deinit {
    members.deallocate()
    latest.deallocate()
    times.deallocate()
  }

  /// Passes the bytes before the value; nil if the line has another name, or another form. `nanoseconds` is its time.
  @inline(__always)
  func pass(_ line: PaddedBytes) -> JSONLineScanner.Place? {
    if count > 0, line.count > count, memcmp(line.base, latest, count) == 0 { return line.base + count }
    return passOther(line)
  }

  @inline(never)
  private func passOther(_ line: PaddedBytes) -> JSONLineScanner.Place? {
    guard let (time, end) = Self.time(of: line), line.count > end + memberCount,
      memcmp(line.base + end, members, memberCount) == 0
    else { return nil }
    nanoseconds = time
    count = end + memberCount
    latest.update(from: line.base, count: count)
    return line.base + count
  }

  /// Returns the value of a line; nil if the line does not have this opening, or does not end after the value.
  ///
  /// - Parameter line: The line without its line break.
  package func value(of line: PaddedBytes) -> PaddedBytes? {
    guard line.hasControlCharacterBehind, let value = pass(line) else { return nil }
    let last = line.count - (value - line.base) - 1
    guard last > 0, value[last] == UInt8(ascii: "}") else { return nil }
    return PaddedBytes(unsafe: value, count: last)
  }

  /// Whether a text begins with this opening. If so, `nanoseconds` is its time.
  package func begins(_ text: PaddedBytes) -> Bool { pass(text) != nil }

  // MARK: Rows

  /// Forgets the times of the rows read last.
  func beginRows() { rowCount = 0 }

  /// Notes the time of a row. Returns false if it is not to be read.
  @inline(__always)
  func noteRow() -> Bool {
    guard rowTimes.contains(nanoseconds), rowCount < LineRows.capacity else { return false }
    times[rowCount] = nanoseconds
    rowCount += 1
    return true
  }

  /// Returns the time of a row read last, in nanoseconds.
  package func time(ofRow row: Int) -> Int64 {
    precondition(row >= 0 && row < rowCount, "a row's index is less than the number of rows read")
    return times[row]
  }

  // MARK: Time

  /// Reads the time at the start of a line: seconds with up to nine digits after the point; nil for another form.
  ///
  /// - Returns: The time in nanoseconds, and the number of bytes up to its end.
  private static func time(of line: PaddedBytes) -> (nanoseconds: Int64, end: Int)? {
    let first = beginning.utf8CodeUnitCount
    guard line.count > first, memcmp(line.base, beginning.utf8Start, first) == 0 else { return nil }
    let text = line.base
    var (seconds, fraction, unit): (Int64, Int64, Int64) = (0, 0, 1_000_000_000)
    var place = first
    while place < line.count, text[place] &- UInt8(ascii: "0") < 10 {
      seconds = seconds &* 10 &+ Int64(text[place] &- UInt8(ascii: "0"))
      place += 1
    }
    // NB: At most eight digits, so that no number overflows. JSON has no leading zeros.
    let digits = place - first
    guard digits > 0, digits <= 8, digits == 1 || text[first] != UInt8(ascii: "0") else { return nil }
    if place < line.count, text[place] == UInt8(ascii: ".") {
      place += 1
      while place < line.count, text[place] &- UInt8(ascii: "0") < 10, unit > 1 {
        unit /= 10
        fraction += Int64(text[place] &- UInt8(ascii: "0")) * unit
        place += 1
      }
      guard unit < 1_000_000_000 else { return nil }
    }
    return (seconds * 1_000_000_000 + fraction, place)
  }

  /// Whether a text begins with a whole line that has a time and these bytes after it.
  ///
  /// - Parameter members: Such as `,"timer":true}`.
  package static func hasTime(_ text: PaddedBytes, before members: StaticString) -> Bool {
    guard let (_, end) = time(of: text), text.count >= end + members.utf8CodeUnitCount else { return false }
    return memcmp(text.base + end, members.utf8Start, members.utf8CodeUnitCount) == 0
  }
}
