internal import CEL
@_spi(Engine) package import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Reads a recording line by line.
package final class RecordingReader {
  package let path: String
  package let header: RecordingHeader
  /// The last line; nil if the recording has not been ended, or comes through a pipe.
  package private(set) var end: RecordingEnd?
  /// The file, whose values of one input are read as rows.
  let feed: FileFeed
  private let lines: RecordedLineReader?
  private var values = RecordedValues()
  /// Number of lines after the header that have been read.
  private(set) var count = 0
  /// Whether the last byte of the file ends a line.
  private let endsWithLine: Bool
  /// Whether the last line was cut.
  private(set) var isCut = false

  /// Opens a recording and reads its header. `-` is standard input.
  ///
  /// - Parameter size: The number of bytes to read at once.
  package init(_ path: String, _ console: Console, pieces size: Int = 256 * 1024) throws(Diagnostics) {
    self.path = path
    let name = path == StandardInput.argument ? StandardInput.name : path
    let report = SkipReport(console, skips: false, offersSkipping: false)
    let feed = try Diagnostics.listing { () throws(Diagnostic) -> FileFeed in
      do throws(SystemError) {
        if path == StandardInput.argument {
          return FileFeed(
            0, name: "", file: name, descriptor: .standardInput, format: .recording, type: .dyn,
            report: report, pieces: size)
        }
        let file = try FileDescriptor.open(path)
        if try file.status().kind == .directory {
          file.close()
          throw SystemError.isDirectory
        }
        return FileFeed(
          0, name: "", file: name, descriptor: file, format: .recording, type: .dyn, report: report, pieces: size)
      } catch {
        throw error.diagnostic(reading: path, isFed: true)
      }
    }
    self.feed = feed
    lines = feed.formatReader as? RecordedLineReader
    end = Self.end(of: feed.descriptor)
    endsWithLine = FileDescriptor.endsWithLine(path)
    do throws(RunStop) {
      guard let line = try Self.firstLine(feed) else {
        throw .refused(Diagnostic(.emptyText, "'\(name)' is empty; expected a recording"), nil)
      }
      do throws(Diagnostic) {
        header = try RecordingHeader(json: line)
      } catch {
        try feed.refuseLatest(error)
        throw .refused(error, nil)
      }
    } catch {
      feed.retire()
      guard case .refused(let diagnostic, let source) = error else { throw Diagnostics() }
      if let source { console.remember(source) }
      throw Diagnostics([diagnostic])
    }
  }

  deinit { feed.retire() }

  /// Length of the part of a file in which its last line is looked for.
  private static let endLength = 4096

  /// Returns the last line of a regular file, if it is the end of a recording.
  private static func end(of file: FileDescriptor) -> RecordingEnd? {
    guard let status = try? file.status(), status.kind == .regular else { return nil }
    defer { try? file.seek(to: 0) }
    guard (try? file.seek(to: max(0, status.size - endLength))) != nil,
      let bytes = try? file.read(atMost: endLength), bytes.last == UInt8(ascii: "\n")
    else { return nil }
    let line = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last ?? []
    guard let document = try? JSONDocument(reading: Array(line), file: "") else { return nil }
    return RecordingEnd(json: document.value)
  }

  /// Returns the next line; nil after the last one.
  ///
  /// - Throws: `refused` at a line that is damaged, with its location. The last line of a run that was killed may be cut:
  ///   it is left out.
  func next() throws(RunStop) -> RecordingEntry? {
    let line: Value?
    do throws(RunStop) {
      line = try Self.nextLine(feed)
    } catch {
      guard !endsWithLine, case .refused = error, try Self.nextLine(feed) == nil else { throw error }
      isCut = true
      return nil
    }
    guard let line else { return nil }
    count += 1
    if let latest = lines?.latest { return .event(.value(line, input: latest.input), at: latest.time) }
    do throws(Diagnostic) {
      let entry = try values.entry(line)
      if case .end(let end) = entry { self.end = end }
      return entry
    } catch {
      try feed.refuseLatest(error)
      throw .refused(error, nil)
    }
  }

  // MARK: Places

  /// The directory of the recording, without links, which holds what its stream may read; that of a pipe is the working
  /// directory.
  var folder: String? { (try? FileLoader().identity(of: path)).map(Path.directory) }

  /// The path of the recorded stream file at the recording; nil if it is not there.
  ///
  /// - Parameter isBeside: Whether it has to be in the directory of the recording, and not below it.
  package func recordedFile(isBeside: Bool) -> String? {
    guard let folder else { return nil }
    let identity = header.stream.identity
    let isBelow = identity.utf8.starts(with: "\(folder)/".utf8)
    let names = [isBelow ? Path.dropFirst(folder.utf8.count + 1, of: identity) : nil, Path.name(of: identity)]
    return names.lazy.compactMap(\.self).map { Path.join(Path.directory(of: self.path), $0) }.first { file in
      // A link may lead elsewhere.
      guard let real = try? Path.real(file), FileStamp(real)?.isRegular == true else { return false }
      let holder = Path.directory(of: real)
      return holder == folder || !isBeside && holder.utf8.starts(with: "\(folder)/".utf8)
    }
  }

  /// The error for a stream file that is not at the recording. The recording may come from anyone, and name any file.
  ///
  /// - Parameters:
  ///   - action: The verb for the use of the file.
  ///   - command: The arguments with which the user names a file.
  package func refusal(_ action: String, _ command: String) -> Diagnostics {
    Diagnostics(
      .notGranted,
      "the recorded stream file '\(header.stream.identity)' is not \(action), since it is not in the directory of the "
        + "recording", help: "name the stream file: streamrun \(command)")
  }

  // MARK: Rows

  /// The input and the time of the next line, if it has been read from the file and is a value of an input.
  var upcoming: (input: String, time: StreamTime)? { lines?.upcoming }

  /// Whether the next line has been read from the file, and is certainly none at which the stream is swapped.
  var isFollowedByEvent: Bool { lines?.isFollowedByEvent == true }

  /// Reads the values of an input as rows from now on.
  ///
  /// - Parameters:
  ///   - name: The name of the input in the recording.
  ///   - number: Its number in the stream that takes the rows.
  ///   - type: Its declared type in that stream.
  func readRows(of name: String, to number: Int, type: CELType) {
    lines?.readRows(of: name)
    feed.assignRows(to: number, type: type)
  }

  /// The times of the lines that are read as rows.
  var rowTimes: ClosedRange<StreamTime> {
    get { lines?.rowTimes ?? .zero ... .zero }
    set { lines?.rowTimes = newValue }
  }

  /// Notes that lines have been taken as rows.
  func noteRows(_ number: Int) { count += number }

  private static func firstLine(_ feed: FileFeed) throws(RunStop) -> Value? {
    do throws(RunStop) {
      return try nextLine(feed)
    } catch {
      guard case .refused(var diagnostic, let source) = error else { throw error }
      diagnostic.help = RecordingHeader.help
      diagnostic.notes.append("the first line of a recording is its header")
      throw .refused(diagnostic, source)
    }
  }

  private static func nextLine(_ feed: FileFeed) throws(RunStop) -> Value? {
    while true {
      switch try feed.next() {
      case .record(let value): return value
      case .end: return nil
      case .incomplete: try feed.waitAndFill { () throws(RunStop) in }
      }
    }
  }

  /// Refuses the latest line: an error with its location.
  func refuse(_ diagnostic: Diagnostic) throws(RunStop) { try feed.refuseLatest(diagnostic) }
}
