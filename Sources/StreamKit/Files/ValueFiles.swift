public import StreamCore

/// The access to files of values that a host gives to the streams that it compiles.
///
/// Paths are as stream files have them: absolute ones, ones with `..` in them, and ones that lead over links may be
/// among them. A host that compiles files of strangers decides which of them it opens. No path has a zero character
/// in it.
public protocol ValueFiles: Sendable {
  /// Refuses a file that the streams may not read, when a stream that names it is compiled. Default: refuses none.
  ///
  /// The file need not exist yet.
  ///
  /// - Throws: why the file may not be read.
  func check(_ path: String, relativeTo base: String?) throws(Diagnostic)
  /// Opens the file at `path`, which the stream file `base` names (nil where that has no place of its own).
  ///
  /// Called when a subscription asks for its first value, and again after it was restored from a snapshot.
  ///
  /// - Parameter path: the path in the stream file.
  /// - Parameter format: the format of the file.
  /// - Parameter base: the stream file.
  /// - Parameter place: where reading begins: the start, or the place of an earlier reader of the same file.
  /// - Throws: why the file cannot be opened.
  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader
}

extension ValueFiles {
  public func check(_ path: String, relativeTo base: String?) throws(Diagnostic) {}
}

/// Reads a file value by value, and no more of it than that takes. Used from one place at a time; closes the file when
/// it is released.
public protocol ValueReader: AnyObject, Sendable {
  /// Behind the value that was given last.
  var place: FilePlace { get }
  /// Where the value that was given last begins.
  var location: SourceLocation { get }
  /// Whether the next value is at hand, so that nobody waits for it. Default false.
  var isNextRead: Bool { get }
  /// The next value; nil at the end.
  ///
  /// - Throws: what is wrong with the file, with its location there.
  func next() throws(Diagnostic) -> Value?
}

extension ValueReader {
  public var isNextRead: Bool { false }
}

/// What a file of values is written in.
public enum FileFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// One JSON value a line; blank lines are passed over.
  case ndjson
  /// One JSON list.
  case json
  /// Rows of fields (RFC 4180), the first of them names; every field is a text.
  case csv

  /// What reads a file of this format, from the place at which `bytes` begin.
  ///
  /// - Parameter bytes: the content of the file.
  /// - Parameter name: what diagnostics call the file.
  /// - Parameter place: the place at which `bytes` begin.
  public func reader(of bytes: any ByteStream, named name: String, at place: FilePlace) -> any ValueReader {
    let cursor = FileCursor(bytes, name: name, at: place, isOfLines: self != .json)
    return switch self {
    case .ndjson: LineValueReader(cursor)
    case .json: ListValueReader(cursor)
    case .csv: TableValueReader(cursor)
    }
  }
}

/// How far a file has been read.
public struct FilePlace: Hashable, Sendable, Codable {
  /// Bytes in front of it.
  public var offset = 0
  /// Line, from 1.
  public var line = 1
  /// Column in Unicode scalars, from 1.
  public var column = 1
  /// Of a CSV file: the names in its first row, once that has been read.
  public var columns: [String]?

  /// The start of a file.
  public init() {}

  /// A place out of a snapshot.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    offset = try container.decode(Int.self, forKey: .offset)
    line = try container.decode(Int.self, forKey: .line)
    column = try container.decode(Int.self, forKey: .column)
    columns = try container.decodeIfPresent([String].self, forKey: .columns)
    guard [offset, line, column].allSatisfy(\.isCount), line > 0, column > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .offset, in: container, debugDescription: "a file has no byte \(offset) in line \(line):\(column)")
    }
    guard let columns else { return }
    guard !columns.isEmpty, Set(columns).count == columns.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .columns, in: container, debugDescription: "the columns of a table have different names")
    }
  }
}

/// The bytes of an open file, in order.
public protocol ByteStream: AnyObject, Sendable {
  /// The next bytes, at most this many, and none at the end only.
  func read(atMost count: Int) throws(Diagnostic) -> [UInt8]
}
