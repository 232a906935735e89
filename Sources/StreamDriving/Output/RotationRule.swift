internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// When the file of an output is renamed, and a new one begun: at a size, or at each beginning of a period.
package enum RotationRule: Hashable, Sendable, CustomStringConvertible {
  /// After the value with which the file has at least this many bytes.
  case size(ByteCount)
  /// Before the first value of another period. Periods of this many seconds, at least 1, are counted from 1970 UTC.
  case period(seconds: Int64)

  private static let units: [(name: String, seconds: Int64)] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]

  /// Reads `100MB`, `1h`, `30m` or `1d`; nil for other texts.
  package init?(argument: String) {
    if let unit = Self.units.first(where: { argument.hasSuffix($0.name) }), let count = Int64(argument.dropLast()) {
      let (seconds, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
      guard count > 0, !overflow else { return nil }
      self = .period(seconds: seconds)
      return
    }
    // A number alone could be meant as seconds.
    guard argument.last?.lowercased() == "b", let size = ByteCount(argument: argument) else { return nil }
    self = .size(size)
  }

  package var description: String {
    switch self {
    case .size(let size): return size.description
    case .period(let seconds):
      let unit = Self.units.last { seconds % $0.seconds == 0 } ?? ("s", 1)
      return "\(seconds / unit.seconds)\(unit.name)"
    }
  }
}

/// The name of a rotated file: `NAME-20260131T235900Z.ext`, and `NAME-20260131T235900Z-2.ext` for the second of an
/// instant.
struct RotatedName: Comparable {
  /// The name of the output's file, without its extension and with it alone, which begins with a dot.
  private let stem: String
  private let ending: String
  /// The time of rotation as `20260131T235900Z`, in UTC.
  let time: String
  /// The number of the file among those of its time, 1 or more.
  let number: Int

  /// Returns the parts of a file's name before and after its last dot.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// Creates the name of a file that is rotated at a time, later than the name before it.
  init(of name: String, at time: Timestamp, after latest: RotatedName?) {
    (stem, ending) = Self.parts(of: name)
    let text = Timestamp(seconds: time.seconds).rfc3339.filter { $0 != "-" && $0 != ":" }
    // The clock may have been set back.
    if let latest, latest.time >= text {
      (self.time, number) = (latest.time, latest.number + 1)
    } else {
      (self.time, number) = (text, 1)
    }
  }

  /// Reads the name of a rotated file; nil if `text` is none of the file `name`.
  init?(_ text: String, of name: String) {
    (stem, ending) = Self.parts(of: name)
    guard text.hasPrefix(stem + "-"), text.hasSuffix(ending), text.count > stem.count + 1 + ending.count else {
      return nil
    }
    let parts = text.dropFirst(stem.count + 1).dropLast(ending.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard let time = parts.first, Self.isTime(time), parts.count <= 2 else { return nil }
    self.time = String(time)
    guard parts.count == 2 else {
      number = 1
      return
    }
    guard let number = Int(parts[1]), number > 1, String(number) == parts[1] else { return nil }
    self.number = number
  }

  private static func isTime(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return false }
    return bytes.enumerated().allSatisfy { place, byte in place == 8 || place == 15 || (0x30...0x39).contains(byte) }
  }

  /// The names of the rotated files of an output, in the order of rotation.
  static func all(of path: String) -> [RotatedName] {
    let names = (try? Directory.names(in: Path.directory(of: path))) ?? []
    return names.compactMap { RotatedName($0, of: Path.name(of: path)) }.sorted()
  }

  var text: String { "\(stem)-\(time)\(number == 1 ? "" : "-\(number)")\(ending)" }

  static func < (first: RotatedName, second: RotatedName) -> Bool {
    (first.time, first.number) < (second.time, second.number)
  }
}
