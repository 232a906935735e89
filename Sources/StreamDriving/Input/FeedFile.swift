internal import CEL
internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// One open file of a feed, with the reader of its records.
final class FeedFile {
  /// The file as diagnostics call it.
  let name: String
  let descriptor: FileDescriptor
  let pieces: FilePieces
  let source: RecordSource
  /// Whether it is a regular file that is read from its start, rather than a pipe, or the rest of one.
  let isRegular: Bool
  /// The position at which it was opened; nil for the start.
  private let start: FeedPosition?

  init(
    _ name: String, _ descriptor: FileDescriptor, _ pieces: FilePieces, _ format: FileFormat, _ type: CELType,
    resuming position: FeedPosition? = nil, continuesPipe: Bool = false
  ) {
    (self.name, self.descriptor, self.pieces) = (name, descriptor, pieces)
    isRegular = !continuesPipe && (try? descriptor.status().kind) == .regular
    start = position
    source = RecordSource(pieces, named: name, format, type, at: position?.place ?? FilePlace())
  }

  /// How far the file has been read.
  ///
  /// NB: The position identifies the content by the bytes that were read, not by those that the file has now.
  func position(of input: String, recordCount: Int, isDone: Bool) throws(SystemError) -> FeedPosition {
    let place = source.place
    var position = FeedPosition(
      input: input, file: name, format: source.format.rawValue, place: place, recordCount: recordCount, isDone: isDone,
      fingerprint: nil)
    if pieces.isDecompressed || Compression(of: descriptor) != nil { position.isCompressed = true }
    if isRegular { position.stamp = FileStamp(descriptor) }
    if let start, start.place.offset == place.offset, pieces.trace(at: place.offset) == nil {
      // Nothing has been read yet.
      (position.fingerprint, position.content) = (start.fingerprint, start.content)
      return position
    }
    var trace = pieces.trace(at: place.offset)
    if isRegular, position.isCompressed == nil, let short = trace, short.offset < place.offset {
      trace = try short.appending(descriptor, upTo: place.offset)
    }
    position.content = trace.flatMap(pieces.mark)
    guard isRegular else { return position }
    if position.isCompressed == true {
      position.fingerprint = try FileFingerprint(compressed: descriptor)
    } else {
      let edges = if let edges = trace?.edges { edges } else { try ContentEdges(of: descriptor, before: place.offset) }
      position.fingerprint = edges.fingerprint
    }
    return position
  }

  func close() {
    pieces.stop()
    descriptor.close()
  }
}
