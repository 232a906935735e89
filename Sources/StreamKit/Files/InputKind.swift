@_spi(Engine) package import StreamCore

/// The probable kind of a file that cannot be read in the expected format, recognized by its first line.
package enum InputKind: Equatable {
  /// Compressed data: the name of the format, and the command that decompresses it.
  case compressed(String, by: String)
  case utf16
  /// A JSON value on several lines: an array or another value.
  case longJSON(isList: Bool)
  /// Several JSON values on a line.
  case severalValues
  case table
  case text
  /// A comma after the value of each line.
  case commaAfterValue
  /// Lines that end with a carriage return alone.
  case carriageReturns
  /// A JSON text sequence (RFC 7464), whose records begin with the control character 0x1E.
  case textSequence
  case markup
  /// A workbook: an archive of markup.
  case workbook
  /// Data in a binary format that a program converts: the name of the format, and the command.
  case binary(String, by: String)

  /// Recognizes data that are not UTF-8 text by their first bytes.
  package init?(firstBytes bytes: some Sequence<UInt8>) {
    let beginning = Array(bytes.prefix(64))
    let start = Array(beginning.prefix(6))
    let magic: [(bytes: [UInt8], kind: InputKind)] = [
      ([0x1F, 0x8B], .compressed("gzip", by: "zcat FILE")),
      ([0x28, 0xB5, 0x2F, 0xFD], .compressed("zstd", by: "zstdcat FILE")),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], .compressed("xz", by: "xzcat FILE")),
      (Array("PK".utf8) + [3, 4], .compressed("zip", by: "unzip -p FILE")),
      ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16), ([0x1E], .textSequence),
      (Array("PAR1".utf8), .binary("Parquet", by: "duckdb -c \"COPY 'FILE' TO '/dev/stdout' (FORMAT json)\"")),
      (Array("Obj".utf8) + [1], .binary("Avro", by: "avrocat FILE")),
      (Array("SQLite".utf8), .binary("SQLite", by: "sqlite3 -json FILE 'SELECT …' | jq -c '.[]'")),
    ]
    // The name of the first file of the archive.
    let names = ["[Content_Types].xml", "_rels/", "xl/", "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"]
    if start.starts(with: Array("PK".utf8)),
      names.contains(where: { beginning.dropFirst(30).starts(with: Array($0.utf8).prefix(34)) })
    {
      self = .workbook
    } else if let found = magic.first(where: { start.starts(with: $0.bytes) }) {
      self = found.kind
    } else if start.starts(with: Array("BZh".utf8)), start.count > 3, (0x31...0x39).contains(start[3]) {
      // The digit is the block size.
      self = .compressed("bzip2", by: "bzcat FILE")
    } else if Self.isUTF16(start) {
      self = .utf16
    } else {
      return nil
    }
  }

  /// Whether every other byte is zero, as in UTF-16 text of ASCII characters. Two characters have to be seen: a single
  /// zero is a NUL character.
  private static func isUTF16(_ start: [UInt8]) -> Bool {
    let zeros = start.map { $0 == 0 }
    return start.count > 2 && zeros[0] != zeros[1] && zip(zeros, zeros.dropFirst(2)).allSatisfy { $0 == $1 }
      && (start.count > 3 || zeros[0])
  }

  /// Recognizes a file that was to have one JSON value per line.
  ///
  /// - Parameter error: The error in its first line as JSON.
  package init?(firstLine line: some Collection<UInt8>, _ error: JSONError) {
    if let kind = InputKind(firstBytes: line) {
      self = kind
      return
    }
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.first else { return nil }
    if error.code == .trailingText, let rest = Self.rest(of: line, after: error) {
      self = rest
      return
    }
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      guard error.code == .unexpectedEnd else { return nil }
      self = .longJSON(isList: first == UInt8(ascii: "["))
    case UInt8(ascii: "<"): self = .markup
    case _ where Self.isTable(text): self = .table
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return nil
    default:
      // A single word may be a value that was meant to be JSON.
      guard text.contains(0x20) else { return nil }
      self = .text
    }
  }

  /// Whether a line has fields with separators between them, and not many words.
  private static func isTable(_ line: some Collection<UInt8>) -> Bool {
    let separators = line.count {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "|") || $0 == 0x09
    }
    return separators > 0 && line.count { $0 == 0x20 } <= separators + 1
  }

  /// Recognizes the text after the first value of a line; nil for any other text.
  private static func rest(of line: some Collection<UInt8>, after error: JSONError) -> InputKind? {
    let rest = Array(line.dropFirst(error.bytes.lowerBound)).filter { $0 != 0x20 && $0 != 0x0D }
    if rest == [UInt8(ascii: ",")] { return .commaAfterValue }
    if line.dropLast().contains(0x0D) { return .carriageReturns }
    let starts: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")]
    return rest.first.map(starts.contains) == true ? .severalValues : nil
  }

  /// The error for kinds whose parse error would not help; nil for the others.
  package var message: String? {
    switch self {
    case .compressed(let name, _): "the data are compressed with \(name); expected text"
    case .utf16: "the text is UTF-16; expected UTF-8"
    case .binary(let name, _): "the data are in the format \(name); expected text"
    case .workbook: "the data are a workbook; expected text"
    case .longJSON, .severalValues, .table, .text, .commaAfterValue, .carriageReturns, .textSequence, .markup: nil
    }
  }

  /// Whether an error is about a whole file, so that no line can be read.
  package static func isOfWholeFile(_ diagnostic: Diagnostic) -> Bool {
    ["; expected text", "; expected UTF-8"].contains(where: diagnostic.message.hasSuffix)
  }

  /// The command or the setting with which the file can be read.
  package var help: String {
    switch self {
    case .compressed(_, let command): "'\(command)' decompresses them"
    case .workbook: "save the sheet as CSV, or write it by 'soffice --headless --convert-to csv FILE'"
    case .utf16: "'iconv -f UTF-16 -t UTF-8 FILE' converts it"
    case .longJSON(true):
      "expected one JSON value per line; the format \"json\" reads an array (--input-format json for an input)"
    case .longJSON(false), .severalValues:
      "expected one JSON value per line; 'jq -c . FILE' writes each value on a line"
    case .table:
      "expected one JSON value per line; the format \"csv\" or \"tsv\" reads a table (--input-format csv for an input)"
    case .commaAfterValue: "expected one JSON value per line; remove the comma at the end of each line"
    case .carriageReturns: "expected one JSON value per line; \"tr '\\r' '\\n' < FILE\" writes line feeds"
    case .textSequence: "expected one JSON value per line; \"tr -d '\\036' < FILE\" removes the record separators"
    case .markup: "expected one JSON value per line; 'xq -c . FILE' converts XML to JSON"
    case .binary(_, let command): "\(command) writes them as JSON"
    case .text:
      "expected one JSON value per line; the format \"text\" reads each line as a string (--input-format text for an input)"
    }
  }
}

extension Diagnostic {
  /// Returns the error with an explanation for a file of another kind.
  package func explained(by kind: InputKind) -> Diagnostic {
    var diagnostic = self
    if let message = kind.message { diagnostic.message = message }
    diagnostic.help = kind.help
    return diagnostic
  }
}
