import StreamCore
import StreamEngine
import StreamKit
import Testing

/// A stream takes many values of a file at once, as far as they have been read, without a visible difference.
@Suite struct FileRunTests {
  /// A file that comes in pieces, opened at any place.
  private struct TextFile: ValueFiles {
    let text: [UInt8]
    let piece: Int

    func open(_ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace) -> any ValueReader {
      format.reader(of: Pieces(rest: text[place.offset...], piece: piece), named: path, at: place)
    }
  }

  private final class Pieces: ByteStream, @unchecked Sendable {  // used by one reader, in one place
    private var rest: ArraySlice<UInt8>
    private let piece: Int

    init(rest: ArraySlice<UInt8>, piece: Int) {
      self.rest = rest
      self.piece = piece
    }

    func read(atMost count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(min(count, piece)) }
      return Array(rest.prefix(min(count, piece)))
    }
  }

  private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map(line).joined(separator: "\n") + "\n"
  }

  /// Format, declared type, and text: files that are right, and some in which a line is wrong.
  private static let files: [[String]] = [
    ["ndjson", "int", lines(500) { "\($0 % 40)" }],
    ["ndjson", "dyn", lines(500) { $0 % 7 == 0 ? "\($0).5" : "\($0 % 40)" }],
    ["ndjson", "int", lines(300) { $0 == 211 ? "{1" : "\($0)" }],
    ["ndjson", "int", lines(300) { $0 == 250 ? "\"x\"" : "\($0)" }],
    ["csv", "dyn", "n\n" + lines(200) { "\($0)" }],
    ["csv", #"{"n":"int","x":"double","s":"string"}"#, "n,x,s\n" + lines(400) { "\($0),\($0 % 9).25,t\($0 % 5)" }],
    [
      "csv", #"{"n":"int","x":"double","s":"string"}"#,
      "n,x,s\r\n" + lines(300) { $0 % 50 == 9 ? "\($0),1,\"a\nb\"" : "\($0),1e1,ä\r" },
    ],
    ["csv", #"{"n":"int"}"#, "n,x\n" + lines(300) { $0 == 190 ? "\($0)" : "\($0),1" }],
    ["csv", #"{"n":"int"}"#, "n,x\n" + lines(300) { $0 == 190 ? "y,1" : "\($0),1" }],
  ]

  private static func operators(_ file: [String]) -> [String] {
    let value = file[0] == "csv" ? file[1] == "dyn" ? "int(value.n)" : "value.n" : "value"
    return [
      #"{"map":{"expression":"\#(value)"}},{"filter":{"expression":"value % 3 != 0"}}"#,
      #"{"map":{"expression":"\#(value)"}},{"scan":{"initialValue":0,"expression":"acc + value"}},{"last":{}}"#,
      #"{"filter":{"expression":"\#(value) > 20"}},{"prefix":{"count":3}}"#, #"{"count":{}}"#, #"{"share":{}}"#, "",
      #"{"map":{"expression":"100 / (\#(value) - 30)"}}"#,
    ]
  }

  private func told(_ execution: Execution, _ pipeline: Pipeline, restoring: Int) throws -> [String] {
    var execution = execution
    var told: [String] = []
    while let event = execution.next() {
      if case .failure(let failure) = event {
        told.append("\(failure.code) \(failure.message) for \(failure.value ?? .null)")
      } else {
        told.append("\(event)")
      }
      if told.count % restoring == 0 {
        let text = try execution.snapshot().text()
        told.append(text)
        execution = try Execution(pipeline, restoring: Snapshot(text: text))
      }
    }
    return told
  }

  @Test("A file says the same a value at a time", arguments: files, [7, 300, 100_000])
  func saysTheSame(_ file: [String], _ piece: Int) throws {
    let files = TextFile(text: Array(file[2].utf8), piece: piece)
    let type = file[1].hasPrefix("{") ? file[1] : "\"\(file[1])\""
    var compared = 0
    for operators in Self.operators(file) {
      let text = #"""
        {"source": {"file": {"path": "f", "format": "\#(file[0])", "type": \#(type)}}, "operators": [\#(operators)]}
        """#
      let model = try StreamModel(parsing: text)
      var options = CompileOptions(files: files)
      let fused = try model.compile(options)
      options.fuses = false
      let plain = try model.compile(options)
      for restoring in [17, Int.max] {
        let (first, second) = (Execution(fused), Execution(plain))
        first.request(.unlimited)
        second.request(.unlimited)
        let actual = try told(first, fused, restoring: restoring)
        let expected = try told(second, plain, restoring: restoring)
        #expect(actual == expected, "\(operators)")
        compared += expected.count
      }
    }
    #expect(compared > 100)
  }

  /// A file that may grow. It records how many values had been published at each read.
  private final class SlowFile: ValueFiles, ByteStream, @unchecked Sendable {  // used in one place
    var pieces: [String]
    var heard = 0
    var heardAtReads: [Int] = []

    init(_ pieces: [String]) { self.pieces = pieces }

    func open(_ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace) -> any ValueReader {
      format.reader(of: self, named: path, at: place)
    }

    func read(atMost count: Int) -> [UInt8] {
      heardAtReads.append(heard)
      return pieces.isEmpty ? [] : Array(pieces.removeFirst().utf8)
    }
  }

  @Test(
    "Read values are published before the stream waits for more",
    arguments: [
      ("ndjson", ["1\n2\n3\n", "4\n5", "6\n"], [0, 3, 4, 5]), ("ndjson", ["1\n2\n\n", "3\n \r\n"], [0, 2, 3]),
      ("csv", ["n\n1\n2\n", "3\n"], [0, 2, 3]), ("csv", ["n\n1\n2\n\r\n\n", "3\n"], [0, 2, 3]),
      ("csv", ["n\n1\nä\n\"a\n", "b\"\n3\n"], [0, 2, 4]),
    ])
  func waiting(_ format: String, _ pieces: [String], _ heardAtReads: [Int]) throws {
    let file = SlowFile(pieces)
    let model = try StreamModel(
      parsing: #"""
        {"source": {"file": {"path": "f", "format": "\#(format)"}}, "operators": [{"map": {"expression": "value"}}]}
        """#)
    let execution = Execution(try model.compile(CompileOptions(files: file)))
    execution.request(.unlimited)
    while let event = execution.next() { if case .value = event { file.heard += 1 } }
    // The last read finds the end.
    #expect(file.heardAtReads == heardAtReads)
  }
}
