import CEL
@_spi(Engine) import StreamCore
import StreamKit
import Testing

/// A reader whose bytes come piece by piece has the records, and the problems, of the whole file.
@Suite struct StarvedReaderTests {
  /// Pieces of any size. The reader is refused once before each piece.
  private final class SlowPieces: PieceStream, @unchecked Sendable {  // used in one place
    private var rest: ArraySlice<UInt8>
    private let sizes: [Int]
    private var count = 0
    private var memory: UnsafeMutablePointer<UInt8>?

    init(_ text: String, _ sizes: [Int]) {
      rest = Array(text.utf8)[...]
      self.sizes = sizes
    }

    deinit { memory?.deallocate() }

    func nextPiece() -> FilePiece {
      count += 1
      if count % 2 == 1 { return .unread }
      if rest.isEmpty { return .end }
      let piece = rest.prefix(sizes[count / 2 % sizes.count])
      rest = rest.dropFirst(piece.count)
      memory?.update(repeating: 0xFF, count: 1)
      memory?.deallocate()
      let made = UnsafeMutablePointer<UInt8>.allocate(capacity: piece.count + PaddedBytes.padding)
      made.initialize(repeating: 0, count: piece.count + PaddedBytes.padding)
      _ = UnsafeMutableBufferPointer(start: made, count: piece.count).update(fromContentsOf: piece)
      memory = made
      return .bytes(PaddedBytes(unsafe: made, count: piece.count))
    }

    var rows: RowBatch? { nil }

    func prepare(_ rows: LineRows) {}
  }

  /// The bytes of a file that are all there.
  private final class WholeFile: ByteStream, @unchecked Sendable {  // used in one place
    private var rest: [UInt8]

    init(_ text: String) { rest = Array(text.utf8) }

    func read(atMost count: Int) -> [UInt8] {
      defer { rest = [] }
      return rest
    }
  }

  /// The records, and the problems with their places.
  private func read(_ reader: any ValueReader, _ format: FileFormat) -> [String] {
    let source = RecordSource(reader, format, .dyn)
    var found: [String] = []
    while found.count < 100 {
      do throws(RecordSource.Problem) {
        switch try source.next() {
        case .record(let value):
          found.append("\(source.location.line):\(source.location.column) \(JSONWriter.compact(value))")
        case .incomplete: continue
        case .end: return found
        }
      } catch {
        found.append("\(error)")
        if !source.isPastProblem { return found }
      }
    }
    return found
  }

  private static let texts: [(format: FileFormat, text: String)] = [
    (.ndjson, "\u{FEFF}1\n\n{\"a\": [1, 2]}\r\n x\n\"é\""), (.ndjson, ""), (.ndjson, "\n"),
    (.json, "\u{FEFF} [1 , {\"a\":\n [2, \"]\\\"\"]} ,\n3]\n "), (.json, "[]"), (.json, " [ ] "), (.json, "[1, 2"),
    (.json, "[1, x, 2] 3"), (.json, "[1 2]"), (.json, "{\"a\": [1]}"), (.json, ""), (.json, "[1,]"),
    (.csv, "\u{FEFF}a,\"b\nc\"\r\n1,\"x\"\"y\"\n\n2,\"q\r\nr\"\n3\n4,5"), (.csv, "a\n\"x"), (.csv, "a;b\n1;2\n"),
    (.csv, "a,b\n\"1\"x,2\n3,4\n"), (.csv, ""), (.csv, "a,a\n"), (.tsv, "a\tb\n1\t\"x\ty\"\n2,\t3\n"),
    (.tsv, "a,b\n1,2\n"), (.text, "one\r\n\nt,wo"), (.text, ""), (.csv, "\"a\";b\n1;\"2;3\"\n"),
    (.ndjson, "{\n\"a\": 1}\n{\"a\":\n[2]} 3 \"x\"\n[4, [5]]"), (.ndjson, "[{\"a\": 1}, {}]\n"),
    (.ndjson, "[\n1,\n\"]\"\n]\n[2]\n{"),
    (.ndjson, "[{}]\n[{}]\n"), (.ndjson, "{\"a\": 1}{\"a\": 2}\n3\n"), (.ndjson, "{\"a\": 1\n{\"a\": 2}\n"),
    (.ndjson, "[\n1\n2]\n"),
    (
      items,
      "{\"r\": [1, {\"r\": \"}\"}], \"s\": {\"r\": [2]}}\n{\"t\": [\"\\\"]\", {}], \"r\": 3} {\"r\": []}\n{\"r\": [4]}"
    ),
    (items, "{\"s\": 1}\n{\"r\": [2]}"), (items, "5\n{\"r\": [2]}"), (items, "{\"r\": [1, x, 2]}"),
    (items, "{\"r\": [1"), (items, "{\"r\" 1}"),
  ]

  private static var items: FileFormat {
    var options = FormatOptions()
    options.items = JSONPointer(["r"])
    return FileFormat.ndjson.with(options)
  }

  @Test("A reader continues where another one has stopped, within a text too", arguments: texts)
  func places(_ file: (format: FileFormat, text: String)) {
    let whole = read(file.format.reader(of: WholeFile(file.text), named: "f", at: FilePlace()), file.format)
    var (found, place): ([String], FilePlace) = ([], FilePlace())
    reading: while found.count < 100 {
      let rest = String(decoding: Array(file.text.utf8).dropFirst(place.offset), as: UTF8.self)
      let source = RecordSource(file.format.reader(of: WholeFile(rest), named: "f", at: place), file.format, .dyn)
      do throws(RecordSource.Problem) {
        guard case .record(let value) = try source.next() else { break reading }
        found.append("\(source.location.line):\(source.location.column) \(JSONWriter.compact(value))")
        place = source.place
      } catch {
        break
      }
    }
    // NB: an error is not compared: it may have another place.
    #expect(found == Array(whole.prefix(found.count)))
    #expect(whole.count == found.count || whole[found.count].hasPrefix("unreadable"), "\(whole) \(found)")
  }

  @Test("Any cut leaves the same records", arguments: texts, [[1], [2], [3, 1], [5, 2, 1], [100]])
  func cuts(_ file: (format: FileFormat, text: String), _ sizes: [Int]) {
    let whole = read(file.format.reader(of: WholeFile(file.text), named: "f", at: FilePlace()), file.format)
    let cut = read(file.format.reader(of: SlowPieces(file.text, sizes), named: "f", at: FilePlace()), file.format)
    #expect(cut == whole)
  }
}
