internal import CEL
internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// One open file of a feed, with the reader of its records.
final class FeedFile {
  /// The file as diagnostics call it.
  let name: String
  var descriptor: FileDescriptor
  let pieces: FilePieces
  let source: RecordSource
  /// Whether it is a regular file that is read from its start, rather than a pipe, or the rest of one.
  let isRegular: Bool

  init(
    _ name: String, _ descriptor: FileDescriptor, _ pieces: FilePieces, _ format: FileFormat, _ type: CELType,
    at place: FilePlace, continuesPipe: Bool = false
  ) {
    (self.name, self.descriptor, self.pieces) = (name, descriptor, pieces)
    isRegular = !continuesPipe && (try? descriptor.status().kind) == .regular
    source = RecordSource(pieces, named: name, format, type, at: place)
  }

  /// How far the file has been read.
  func position(of input: String, recordCount: Int, isDone: Bool) throws(SystemError) -> FeedPosition {
    let place = source.place
    let isCompressed = pieces.isDecompressed || Compression(of: descriptor) != nil
    let end = isCompressed ? FileFingerprint.compressedLength(of: descriptor) : place.offset
    let fingerprint = isRegular ? try FileFingerprint(of: descriptor, before: end) : nil
    var position = FeedPosition(
      input: input, file: name, format: source.format.rawValue, place: place, recordCount: recordCount, isDone: isDone,
      fingerprint: fingerprint)
    if isCompressed { position.isCompressed = true }
    return position
  }
}

/// Several files that feed one input.
protocol FeedSeries: AnyObject {
  /// Whether the files grow, so that the series has no end.
  var follows: Bool { get }
  /// The descriptor to wait for instead of the file's; nil for the file's own.
  var signal: FileDescriptor? { get }
  /// Returns the file that is read after the end of another; nil at the end of the series.
  func next(after file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile?
  /// Whether more can be read, of this file or of another one.
  func hasMore(than file: FeedFile) -> Bool
  /// Returns the file to read from: the given one, unless it has nothing and another has.
  func readable(_ file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile
  /// Called when a file that grows has been read further.
  func noteRead(_ file: FeedFile)
  /// How far each file has been read.
  func positions(
    of input: String, current: FeedFile, recordCount: Int, isDone: Bool
  ) throws(SystemError) -> [FeedPosition]
  /// Closes all files.
  func close()
}

/// Opens the files of a series.
struct SeriesFiles {
  let used: UsedFiles
  let format: InputFormat

  /// Opens a file at a position.
  func open(
    _ path: String, _ type: CELType, at position: FeedPosition? = nil, follows: Bool = false
  ) throws(Diagnostic) -> FeedFile {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path)
    } catch {
      throw error.diagnostic(reading: path, isFed: true)
    }
    do throws(Diagnostic) {
      if (try? file.status().kind) == .directory { throw SystemError.isDirectory.diagnostic(reading: path) }
      try used.noteInput(file, name: path)
      let format = try FileFeeds.format(of: file, path, format)
      if follows, !format.isOfLines || format.options.items != nil {
        throw Diagnostic(
          .invalidArgument, "'\(path)' cannot be followed: \(format.rawValue) has an end", help: "remove --follow")
      }
      if let position {
        guard position.format == format.rawValue else {
          throw Diagnostic(
            .snapshotMismatch, "the saved state has read '\(path)' as \(position.format); it is \(format.rawValue) now",
            help: "write --input-format \(position.format)")
        }
        try position.resume(file, feedsAgain: false)
      }
      let pieces = FilePieces(file, format, follows: follows, at: position?.place.offset ?? 0)
      return FeedFile(path, file, pieces, format, type, at: position?.place ?? FilePlace())
    } catch {
      file.close()
      throw error
    }
  }
}

/// Files that are read one after another, in the order of their names.
final class FileSequence: FeedSeries {
  private let files: SeriesFiles
  /// The files that come after the current one, the next one first.
  private var rest: [String]
  /// The ends of the files before.
  private var done: [FeedPosition]

  let follows = false
  let signal: FileDescriptor? = nil

  private init(_ files: SeriesFiles, rest: [String], done: [FeedPosition]) {
    (self.files, self.rest, self.done) = (files, rest, done)
  }

  /// Opens the first file, or the file of a position; nil if all files have been read.
  static func begin(
    _ paths: [String], _ files: SeriesFiles, _ type: CELType, resuming positions: [FeedPosition]
  ) throws(Diagnostic) -> (file: FeedFile, series: FileSequence)? {
    let done = positions.filter(\.isDone)
    let current = positions.first { !$0.isDone }
    var rest = paths.filter { path in path != current?.file && !done.contains { $0.file == path } }
    for path in rest { try files.check(path) }
    if let current {
      let file = try files.open(current.file, type, at: current)
      return (file, FileSequence(files, rest: rest, done: done))
    }
    guard !rest.isEmpty else { return nil }
    let file = try files.open(rest.removeFirst(), type)
    return (file, FileSequence(files, rest: rest, done: done))
  }

  func next(after file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile? {
    guard !rest.isEmpty else { return nil }
    if let position = try? file.position(of: "", recordCount: 0, isDone: true) { done.append(position) }
    file.pieces.stop()
    file.descriptor.close()
    do throws(Diagnostic) {
      return try files.open(rest.removeFirst(), type)
    } catch {
      throw .refused(error, nil)
    }
  }

  func hasMore(than file: FeedFile) -> Bool { true }

  func readable(_ file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile { file }

  func noteRead(_ file: FeedFile) {}

  func positions(
    of input: String, current: FeedFile, recordCount: Int, isDone: Bool
  ) throws(SystemError) -> [FeedPosition] {
    let former = done.map { position in
      var position = position
      position.input = input
      return position
    }
    return former + [try current.position(of: input, recordCount: recordCount, isDone: isDone)]
  }

  // NB: The current file is the feed's to close; the others are not open.
  func close() {}
}

extension SeriesFiles {
  /// Checks that a file can be opened, and that the run does not write it.
  func check(_ path: String) throws(Diagnostic) {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path)
    } catch {
      throw error.diagnostic(reading: path, isFed: true)
    }
    defer { file.close() }
    try used.noteInput(file, name: path)
  }
}
