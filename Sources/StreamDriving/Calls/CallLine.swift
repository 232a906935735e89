@_spi(Engine) internal import StreamCore
internal import StreamEngine

/// The lines that a run and a program exchange about calls.
enum CallLine {
  /// The request of a call: `{"id": 7, "argument": …}`.
  static func request(_ call: Call) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = JSONWriter.append(["id": .int(call.id), "argument": call.argument], to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The answer of a program.
  enum Answer: Equatable {
    case value(Value)
    case failure(Value)
    /// The call is known, its result is not.
    case wrong(String)
  }

  /// The reason why a line cannot be an answer to a call.
  struct Problem: Error, Equatable {
    let message: String
  }

  /// Reads `{"id": 7, "value": …}` or `{"id": 7, "failure": …}`. Other members are ignored.
  static func answer(_ line: [UInt8], _ reader: inout JSONReader) throws(Problem) -> (id: Int64, answer: Answer) {
    let json: Value
    do throws(JSONError) {
      json = try reader.read(line)
    } catch {
      throw Problem(message: "is not JSON: \(error.message)")
    }
    guard case .map(let members) = json else { throw Problem(message: "is not an object") }
    guard let number = members["id"] else { throw Problem(message: "has no 'id'") }
    guard let id = id(number) else { throw Problem(message: "has an 'id' that is not an integer") }
    switch (members["value"], members["failure"]) {
    case (let value?, nil): return (id, .value(value))
    case (nil, let failure?): return (id, .failure(failure))
    case (nil, nil): return (id, .wrong("has neither 'value' nor 'failure'"))
    case (_?, _?): return (id, .wrong("has both 'value' and 'failure'"))
    }
  }

  /// The number of a call, which some languages print as `7.0`.
  private static func id(_ value: Value) -> Int64? {
    switch value {
    case .int(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The beginning of a line, for a message.
  static func excerpt(_ line: [UInt8]) -> String {
    let text = String(decoding: line.prefix(200), as: UTF8.self).unicodeScalars
    let shown = String(String.UnicodeScalarView(text.prefix(100).map { $0.value < 0x20 ? " " : $0 }))
    return line.count > 100 ? shown + "…" : shown
  }
}

/// Splits bytes that come in pieces into lines.
struct LineSplitter {
  private var bytes: [UInt8] = []
  /// The offset at which the search for the end of a line continues.
  private var searched = 0

  /// Number of bytes of a line that is not complete.
  var count: Int { bytes.count }

  /// Returns the lines that these bytes complete, without their ends.
  mutating func lines(adding piece: [UInt8]) -> [[UInt8]] {
    bytes += piece
    var (lines, start): ([[UInt8]], Int) = ([], 0)
    while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      let isWindows = end > start && bytes[end - 1] == UInt8(ascii: "\r")
      lines.append(Array(bytes[start..<(isWindows ? end - 1 : end)]))
      (start, searched) = (end + 1, end + 1)
    }
    bytes.removeSubrange(..<start)
    searched = bytes.count
    return lines
  }
}
