/// The state of a key as bytes: a header, the records that are held, the state of the stream, and a checksum.
///
/// | bytes | content |
/// | --- | --- |
/// | 1 | version of the format: 1, or 2 if records have sources |
/// | 8 | hash of the file |
/// | varint, then for each 8, `bytes` | records that are held: time and JSON text; in version 2 a varint, the source, between them |
/// | 1 | kind of the state: 0 none, 1 a row, 2 an execution |
/// | | the state |
/// | 4 | CRC-32 of all that |
struct KeyState {
  static let nothing: UInt8 = 0
  static let row: UInt8 = 1
  static let execution: UInt8 = 2
  private static let (version, versionWithSources): (UInt8, UInt8) = (1, 2)

  let hash: UInt64
  let records: [(time: Int64, source: UInt32, bytes: UnsafeRawBufferPointer)]
  let kind: UInt8
  /// The state of the stream.
  var rest: ByteReader

  static func header(of hash: UInt64, hasSources: Bool) -> [UInt8] {
    var bytes = [hasSources ? versionWithSources : version]
    bytes.append(number: hash)
    return bytes
  }

  static func seal(_ bytes: inout [UInt8]) { bytes.append(number: Checksum.crc32(bytes)) }

  /// Reads a state whose file has one of the known hashes.
  init(_ bytes: UnsafeRawBufferPointer, known: [UInt64]) throws {
    guard bytes.count >= 15 else { throw ByteReader.Truncated() }
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
    var end = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.suffix(4)))
    guard try end.number(UInt32.self) == Checksum.crc32(body) else { throw BinaryValue.Malformed() }
    var reader = ByteReader(body)
    let version = try reader.byte()
    guard Self.version...Self.versionWithSources ~= version else {
      throw StageError.refused(
        "the snapshot has format \(version); this program reads formats up to \(Self.versionWithSources)")
    }
    hash = try reader.number()
    guard known.contains(hash) else {
      throw StageError.refused(
        "the snapshot was saved by another version of the file (\(String(hash, radix: 16))); start the worker with "
          + "--restore-old and the file of that version, and --restore-set if a parameter had another value")
    }
    var records: [(Int64, UInt32, UnsafeRawBufferPointer)] = []
    for _ in 0..<min(try reader.varint(), UInt64(body.count)) {
      let time: Int64 = try reader.number()
      let source = version == Self.versionWithSources ? UInt32(truncatingIfNeeded: try reader.varint()) : 0
      records.append((time, source, try reader.string()))
    }
    self.records = records
    kind = try reader.byte()
    rest = reader
  }
}
