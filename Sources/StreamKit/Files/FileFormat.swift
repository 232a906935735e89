package import CEL
internal import StreamCore

/// A format of data files: its name, the names of files that have it, and its reader.
///
/// ```swift
/// let format = FileFormat(ofFile: "readings.csv")
/// ```
///
/// A format is a type that reads it and its row, a static property next to that type; `allCases` lists the rows. Every
/// place that reads records takes them from this list: the source `file`, inputs of all commands, and partitions.
public struct FileFormat: RawRepresentable, CaseIterable, Codable, Sendable {
  /// The name in stream files and arguments.
  public let rawValue: String
  /// The extensions of the names of such files, in lowercase.
  public let extensions: [String]
  /// The contents of a file, as part of a sentence.
  package let summary: String
  /// The type of the values if no type is declared.
  package let valueType: CELType
  /// Whether a value ends at a line break, so that the bytes after the last one that was read are of no use yet.
  package let isOfLines: Bool
  /// The settings of the readers.
  package var options = FormatOptions.standard
  private let read: @Sendable (FileCursor, FormatOptions) -> any FormatReader

  /// All formats.
  public static let allCases: [FileFormat] = [.ndjson, .json, .csv, .tsv, .text]

  init(
    _ name: String, extensions: [String], _ summary: String, valueType: CELType = .dyn, isOfLines: Bool = true,
    _ read: @escaping @Sendable (FileCursor, FormatOptions) -> any FormatReader
  ) {
    rawValue = name
    (self.extensions, self.summary) = (extensions, summary)
    (self.valueType, self.isOfLines, self.read) = (valueType, isOfLines, read)
  }

  /// All formats, as a sentence explains them.
  static var summaries: String {
    allCases.map { "`\($0.rawValue)` is \($0.summary)" }.joined(separator: "; ")
  }

  /// The extensions of the names of all formats, in words.
  package static var endings: String {
    let endings = allCases.flatMap(\.extensions).map { ".\($0)" }
    return endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
  }

  /// Finds a format by its name; nil if there is none.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// The endings of the names of compressed files, before which the extension of the format stands.
  private static let compressedEndings = [".gz", ".zst", ".xz"]

  /// The name of a file without the ending of a compressed file.
  package static func uncompressed(_ name: String) -> String {
    let ending = compressedEndings.first(where: name.lowercased().hasSuffix)
    return String(name.dropLast(ending?.count ?? 0))
  }

  /// Finds the format of a file by the extension of its name; nil if the extension is not known.
  ///
  /// The extension of a compressed file is the one before: `readings.csv.gz` is a table.
  public init?(ofFile path: String) {
    let name = Self.uncompressed(String(path.split(separator: "/").last ?? ""))
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[dot...].dropFirst().lowercased()
    guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
    self = format
  }

  /// Whether values are rows of fields.
  package var isTable: Bool { valueType == .map(.string, .string) }

  /// Creates a reader of this format, beginning at the position of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: The contents from `place` on.
  ///   - name: The name of the file in diagnostics.
  ///   - place: The position of `bytes` in the file.
  public func reader(of bytes: any ByteStream, named name: String, at place: FilePlace) -> any ValueReader {
    reader(of: ByteStreamPieces(bytes), named: name, at: place)
  }

  /// - Parameter limit: The maximum length of a value, in bytes.
  package func reader(
    of pieces: any PieceStream, named name: String, at place: FilePlace, limit: Int = JSONLimits().bytes
  ) -> any FormatReader {
    read(FileCursor(pieces, name: name, at: place, limit: limit), options)
  }
}

extension FileFormat: Hashable {
  public static func == (first: FileFormat, second: FileFormat) -> Bool { first.rawValue == second.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
