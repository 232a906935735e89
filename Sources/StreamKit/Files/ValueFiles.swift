public import StreamCore

/// The access to data files that a host gives to the streams it compiles.
///
/// ```swift
/// /// The data files of an app, by name.
/// struct BundledData: ValueFiles {
///   let texts: [String: String]
///
///   func open(
///     _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
///   ) throws(Diagnostic) -> any ValueReader {
///     guard let text = texts[path] else { throw Diagnostic(.fileNotFound, "there is no file '\(path)'") }
///     return format.reader(of: TextBytes(text, from: place.offset), named: path, at: place)
///   }
/// }
/// ```
///
/// Paths are passed as written in stream files: they may be absolute, contain `..`, or lead over symbolic links. A host
/// that compiles untrusted files decides which files it opens. No path contains a NUL character.
public protocol ValueFiles: Sendable {
  /// Refuses a file that the streams may not read, when a stream that names it is compiled. Default: refuses none.
  ///
  /// The file need not exist yet.
  ///
  /// - Throws: The reason why the file may not be read.
  func check(_ path: String, relativeTo base: String?) throws(Diagnostic)
  /// Opens a file.
  ///
  /// Called when a subscription requests its first value, and again after it was restored from a snapshot.
  ///
  /// - Parameters:
  ///   - path: The path as the stream file names it.
  ///   - format: The format of the contents.
  ///   - base: The identity of the stream file; nil if it is not a file.
  ///   - place: The position at which reading begins: the start, or the position of an earlier reader of the same file.
  /// - Throws: The reason why the file cannot be opened.
  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader
}

extension ValueFiles {
  public func check(_ path: String, relativeTo base: String?) throws(Diagnostic) {}
}

/// Access to data files that are recognized when a saved position in one of them is continued.
package protocol RecognizedFiles: ValueFiles {
  /// Opens a file, whose content before any position can be described.
  ///
  /// - Parameter content: The description of the content before the position; nil if it is not known.
  /// - Throws: Also if the file has other content.
  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace, behind content: Value?
  ) throws(Diagnostic) -> (reader: any ValueReader, content: any ReadContent)
}

/// The content of a file as far as it has been read. Used from one place at a time.
package protocol ReadContent: AnyObject, Sendable {
  /// Describes the content before an offset in bytes, which has been read; nil if that is not known.
  func description(before offset: Int) -> Value?
}

/// Reads a file value by value, and no further than needed. Used from one thread at a time; closes the file when it is
/// released.
///
/// ```swift
/// let reader = try files.open("readings.csv", format: format, relativeTo: nil, at: FilePlace())
/// while let value = try reader.next() { lines.append("\(reader.location.line): \(value)") }
/// ```
public protocol ValueReader: AnyObject, Sendable {
  /// The position after the value returned last.
  var place: FilePlace { get }
  /// The start of the value returned last.
  var location: Diagnostic.Location { get }
  /// Returns the next value; nil at the end.
  ///
  /// - Throws: The error in the file, with its location.
  func next() throws(Diagnostic) -> Value?
}

/// A reader's position in a file.
///
/// ```swift
/// let resumed = try files.open("readings.csv", format: format, relativeTo: nil, at: second.place)
/// ```
public struct FilePlace: Hashable, Sendable, Codable {
  /// Offset in bytes.
  public var offset = 0
  /// Line, from 1.
  public var line = 1
  /// Column in Unicode scalars, from 1.
  public var column = 1
  /// The names in the first row of a CSV file, once it has been read.
  public var columns: [String]?
  /// The byte between two fields of a table, if its first row has shown that it is not that of the format.
  package var separator: UInt8?
  /// True if the file has JSON texts that do not keep to lines. Nil otherwise.
  package var hasTexts: Bool?

  /// The start of a file.
  public init() {}

  /// Decodes a position from a snapshot.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    offset = try container.decode(Int.self, forKey: .offset)
    line = try container.decode(Int.self, forKey: .line)
    column = try container.decode(Int.self, forKey: .column)
    columns = try container.decodeIfPresent([String].self, forKey: .columns)
    separator = try container.decodeIfPresent(UInt8.self, forKey: .separator)
    hasTexts = try container.decodeIfPresent(Bool.self, forKey: .hasTexts)
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
///
/// ```swift
/// /// The bytes of a text.
/// final class TextBytes: ByteStream, @unchecked Sendable {  // used by one reader
///   private var rest: ArraySlice<UInt8>
///
///   init(_ text: String, from offset: Int) { rest = Array(text.utf8).dropFirst(offset) }
///
///   func read(atMost count: Int) -> [UInt8] {
///     defer { rest = rest.dropFirst(count) }
///     return Array(rest.prefix(count))
///   }
/// }
/// ```
public protocol ByteStream: AnyObject, Sendable {
  /// The next bytes, at most this many, and none at the end only.
  func read(atMost count: Int) throws(Diagnostic) -> [UInt8]
}
