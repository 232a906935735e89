public import StreamCore
public import StreamKit

/// Data files in memory, for tests of `{"file": …}` sources, which read them by path.
public struct ValueFilesInMemory: ValueFiles {
  /// The texts of the files, by path.
  public let texts: [String: String]
  /// Maximum number of bytes that are read at once.
  public let pieceSize: Int

  public init(_ texts: [String: String], pieceSize: Int = .max) {
    self.texts = texts
    self.pieceSize = pieceSize
  }

  /// The files that the examples of the catalog read.
  public static let examples = ValueFilesInMemory([
    "letters.ndjson": "\"a\"\n\n\"b\"\n",
    "letters.json": #"["a", "b"]"#,
    "lines.txt": "one, two\n\n",
    "counts.csv": "name,count\r\nx,1\r\n\"y, z\",2\r\n",
    "broken.ndjson": "\"a\"\n{\n",
  ])

  public func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader {
    guard let text = texts[path] else { throw Diagnostic(.fileNotFound, "there is no file '\(path)'") }
    return format.reader(of: Bytes(text.utf8.dropFirst(place.offset), pieceSize), named: path, at: place)
  }

  private final class Bytes: ByteStream, @unchecked Sendable {  // used from one place at a time, by one reader
    private var rest: ArraySlice<UInt8>

    private let limit: Int

    init(_ bytes: some Sequence<UInt8>, _ limit: Int) { (rest, self.limit) = (Array(bytes)[...], limit) }

    func read(atMost count: Int) -> [UInt8] {
      let count = min(count, limit)
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }
}
