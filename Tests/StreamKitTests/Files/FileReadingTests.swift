import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Files give the same values, and know the same places, however many bytes come at once.
@Suite struct FileReadingTests {
  /// Any numbers, the same in every run.
  private struct Numbers {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
  }

  /// A file that comes in pieces of any length.
  private final class Pieces: ValueFiles, ByteStream, @unchecked Sendable {  // used by one reader, in one place
    private var rest: ArraySlice<UInt8>
    private var numbers: Numbers

    init(_ text: [UInt8], seed: Int) {
      rest = text[...]
      numbers = Numbers(state: UInt64(seed))
    }

    func open(_ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace) -> any ValueReader {
      format.reader(of: self, named: path, at: place)
    }

    func read(atMost count: Int) -> [UInt8] {
      let count = min(count, 1 + numbers.next(below: 100))
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }

  private struct Reading: Equatable {
    var value: String
    var line: Int
    /// The number of bytes before the next read.
    var offset: Int
  }

  private func readAll(_ text: [UInt8], _ format: FileFormat, seed: Int) throws -> [Reading] {
    let reader = Pieces(text, seed: seed).open("f", format: format, relativeTo: nil, at: FilePlace())
    var readings: [Reading] = []
    while let value = try reader.next() {
      readings.append(
        Reading(value: JSONWriter.compact(value), line: reader.location.line, offset: reader.place.offset))
      #expect(reader.location.column == 1)
    }
    return readings
  }

  @Test("Lines of JSON", arguments: 0..<10)
  func lines(seed: Int) throws {
    var numbers = Numbers(state: UInt64(seed + 100))
    var (text, expected): ([UInt8], [Reading]) = ([], [])
    for line in 1...200 {
      let value: String
      switch numbers.next(below: 8) {
      case 0: value = ""
      case 1: value = "{\"b\":\(numbers.next(below: 9)),\"a\":[1,{\"x\":null}]}"
      case 2: value = "\"ä\(numbers.next(below: 1000))\""
      default: value = "{\"a\":\(numbers.next(below: 100_000)),\"text\":\"t\(numbers.next(below: 50))\",\"z\":0.5}"
      }
      text += Array(value.utf8) + (numbers.next(below: 4) == 0 ? [0x0D, 0x0A] : [0x0A])
      if line == 200, seed % 2 == 0 { text.removeLast() }
      if !value.isEmpty { expected.append(Reading(value: value, line: line, offset: text.count)) }
    }
    let found = try readAll(text, .ndjson, seed: seed)
    #expect(found == expected)
  }

  @Test("Rows of a table, whose separator the first two show", arguments: 0..<10, [",", ";", "\t", "|"])
  func rows(seed: Int, separator: String) throws {
    var numbers = Numbers(state: UInt64(seed + 200))
    var text = Array("n,a long name,c\n".replacing(",", with: separator).utf8)
    var expected: [Reading] = []
    var line = 2
    for number in 0..<200 {
      let fields: [(value: String, text: String)] = (0..<3).map { _ in
        switch numbers.next(below: 12) {
        case 0: ("", "")
        case 1: ("x\(separator) y", "\"x\(separator) y\"")
        case 2: ("a\nb", "\"a\nb\"")
        case 3: ("q\"q", "\"q\"\"q\"")
        case 4: ("ä\(number)", "ä\(number)")
        default: ("f\(numbers.next(below: 100_000))", "")
        }
      }.map { $0.1.isEmpty && !$0.0.isEmpty ? ($0.0, $0.0) : $0 }
      text += Array(fields.map(\.text).joined(separator: separator).utf8)
      text += numbers.next(below: 3) == 0 ? [0x0D, 0x0A] : [0x0A]
      if number == 199, seed % 2 == 0 { while text.last == 0x0A || text.last == 0x0D { text.removeLast() } }
      let row = ValueMap(zip(["n", "a long name", "c"], fields).map { (.string($0), .string($1.value)) })
      expected.append(Reading(value: JSONWriter.compact(.map(row)), line: line, offset: text.count))
      line += 1 + fields.count { $0.value.contains("\n") }
      if number < 199, numbers.next(below: 10) == 0 {
        // A line without anything belongs to no row.
        text.append(0x0A)
        line += 1
      }
    }
    let found = try readAll(text, .csv, seed: seed)
    #expect(found == expected)
  }

  @Test(
    "Line breaks and quotation marks in a quoted field of the first two rows do not hide the separator",
    arguments: [
      "x;y\n\"one\ntwo\";3\n", "\"x\";y\n\"one\r\n\"\"two\"\"\n\";3\n", "\"x\n1\";y\n\n5\" disk;3\n",
    ])
  func quotedRows(_ text: String) throws {
    let reader = Pieces(Array(text.utf8), seed: 3).open("f", format: .csv, relativeTo: nil, at: FilePlace())
    _ = try? reader.next()
    #expect(reader.place.separator == UInt8(ascii: ";"))
  }

  @Test("A row that is longer than what is read at once")
  func longRow() throws {
    let long = String(repeating: "x", count: 200_000)
    let found = try readAll(Array("a,b\n\(long),1\n2,\(long)\n".utf8), .csv, seed: 1)
    #expect(found.map(\.value) == ["{\"a\":\"\(long)\",\"b\":\"1\"}", "{\"a\":\"2\",\"b\":\"\(long)\"}"])
  }

  @Test("Texts become numbers of the declared types as `Int64` and `Double` read them")
  func numbers() throws {
    let texts = [
      "0", "-0", "1", "-1", "007", "+5", "1.5", "-1.25", "0.1", "123456789.123456", "999999999999999",
      "9999999999999999", "1e3", ".5", "5.", "", "-", "1.2.3", "--1", "0x10", "nan", "inf", " 1", "1 ", "1-",
      "0.000000000000001", "12345678901234567890", "9223372036854775807", "9223372036854775808", "1,5",
    ]
    for (text, quote) in texts.flatMap({ [($0, "\""), ($0, "")] }) where !quote.isEmpty || !text.contains(",") {
      let rows = "i,x\n\(quote)\(text)\(quote),\(quote)\(text)\(quote)\n"
      for (type, expected) in [
        (#"{"i": "int"}"#, Int64(text).map { ["i": .int($0), "x": .string(text)] as Value }),
        // `Double` also reads hexadecimal digits, which JSON and CEL do not.
        (
          #"{"x": "double"}"#,
          (text.contains("x") ? nil : Double(text)).map { ["i": .string(text), "x": .double($0)] as Value }
        ),
      ] {
        let model = try stream(#"{"source": {"file": {"path": "f", "format": "csv", "type": \#(type)}}}"#)
        let files = Pieces(Array(rows.utf8), seed: 1)
        let history = VirtualRun(Execution(try model.compile(CompileOptions(files: files)))).run()
        if let expected {
          #expect(history.values.map { JSONWriter.compact($0) } == [JSONWriter.compact(expected)], "\(text)")
        } else {
          #expect(history.values == [], "\(text)")
        }
      }
    }
  }
}
