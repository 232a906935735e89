internal import CEL
internal import StreamCore
internal import StreamFiles
internal import StreamKit

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
  /// Called when a file has been read further.
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
  let report: SkipReport
  let format: InputFormat
  /// Whether the positions are saved, so that the content is to be recognized.
  let savesPositions: Bool

  var used: UsedFiles { report.usedFiles }

  /// Opens a file at a position.
  ///
  /// - Parameters:
  ///   - name: The path whose ending shows the format. Default the path of the file.
  ///   - identity: The file that the path must lead to: another one counts as none. Default any.
  func open(
    _ path: String, as name: String? = nil, _ type: CELType, at position: FeedPosition? = nil, follows: Bool = false,
    identity: FileStamp.Identity? = nil
  ) throws(Diagnostic) -> FeedFile {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path, waits: !follows)
    } catch {
      throw error.diagnostic(reading: path, isFed: true)
    }
    do throws(Diagnostic) {
      if let identity, FileStamp(file)?.identity != identity {
        throw SystemError.missingFile.diagnostic(reading: path, isFed: true)
      }
      if (try? file.status().kind) == .directory { throw SystemError.isDirectory.diagnostic(reading: path) }
      try used.noteInput(file, name: path)
      let format = try FileFeeds.format(of: file, name ?? path, format)
      if follows { try checkFollowed(file, path, format) }
      var start = ContentStart(savesPositions || follows ? ContentTrace(keepsHash: savesPositions) : nil)
      if let position {
        guard position.format == format.rawValue else {
          throw Diagnostic(
            .snapshotMismatch, "the saved state has read '\(path)' as \(position.format); it is \(format.rawValue) now",
            help: "write --input-format \(position.format)")
        }
        start = try position.resume(file, feedsAgain: false)
      }
      let pieces = FilePieces(file, format, named: path, follows: follows, from: start)
      return FeedFile(path, file, pieces, format, type, resuming: position)
    } catch {
      file.close()
      throw error
    }
  }

  /// Checks that a file is one that grows, in a format without an end.
  private func checkFollowed(_ file: FileDescriptor, _ path: String, _ format: FileFormat) throws(Diagnostic) {
    do throws(SystemError) {
      guard try file.status().kind == .regular else {
        throw SystemError(message: "it is a pipe or a device, and does not grow", help: "remove --follow")
      }
      // An empty file shows only by its name that it will be compressed.
      let isEmpty = try file.status().size == 0
      if let found = Compression(of: file) ?? (isEmpty ? Compression(ofFile: path) : nil) { throw found.followed }
    } catch {
      throw error.diagnostic(reading: path, isFed: true)
    }
    guard !format.isOfLines || format.options.items != nil else { return }
    throw Diagnostic(
      .invalidArgument, "'\(path)' cannot be followed: \(format.rawValue) has an end", help: "remove --follow")
  }
}

/// Files that are read one after another, in the order of their names.
final class FileSequence: FeedSeries {
  private let files: SeriesFiles
  /// The files that come after the current one, the next one first.
  private var rest: [String]
  /// The ends of the files before.
  private var done: [FeedPosition]
  /// Whether all files had been read when the series began.
  let isOver: Bool

  let follows = false
  let signal: FileDescriptor? = nil

  private init(_ files: SeriesFiles, rest: [String], done: [FeedPosition], isOver: Bool = false) {
    (self.files, self.rest, self.done, self.isOver) = (files, rest, done, isOver)
  }

  /// Opens the first file, or the file of a position, or nothing if all files have been read.
  static func begin(
    _ paths: [String], _ files: SeriesFiles, _ type: CELType, resuming positions: [FeedPosition]
  ) throws(Diagnostic) -> (file: FeedFile, series: FileSequence) {
    let done = positions.filter(\.isDone)
    let current = positions.first { !$0.isDone }
    var rest = paths.filter { path in path != current?.file && !done.contains { $0.isOf(path) } }
    for position in done where paths.contains(position.file) { try files.check(position) }
    for path in rest { try files.check(path) }
    if let current {
      let file = try files.open(current.file, type, at: current)
      return (file, FileSequence(files, rest: rest, done: done))
    }
    let isOver = rest.isEmpty
    let file = try files.open(isOver ? "/dev/null" : rest.removeFirst(), type)
    return (file, FileSequence(files, rest: rest, done: done, isOver: isOver))
  }

  func next(after file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile? {
    guard !rest.isEmpty else { return nil }
    if let position = try? file.position(of: "", recordCount: 0, isDone: true) { done.append(position) }
    file.close()
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
    if isOver { return former }
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

  /// Checks that a file that has been read to its end is still the same file.
  func check(_ position: FeedPosition) throws(Diagnostic) {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(position.file)
    } catch {
      throw error.diagnostic(reading: position.file, isFed: true)
    }
    defer { file.close() }
    _ = try position.resume(file, feedsAgain: false)
  }
}
