internal import CEL
internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Files that grow, read on and on as by `tail -F`: one path, or all that a pattern matches.
///
/// A file whose path leads to another file from now on has been rotated: it is read to its end, and for some seconds
/// more, beside the new one. A file whose content has changed has been truncated, whatever its length: it is read from its
/// start, and if it was copied before, the bytes that had not been read are read from the copy.
///
/// A file is known by its device and number and by the first and last bytes that were read; only if no file has the
/// number, by its content alone.
final class FollowedFiles: FeedSeries {
  let pattern: String
  let isPattern: Bool
  let files: SeriesFiles
  /// The open files. Older ones of a path come before newer ones.
  var entries: [FollowedFile] = []
  /// Files that have been read to their ends, or are copies of such files.
  var known = KnownFiles()
  /// Copies of files that are followed, as they were found: each may become the rest of a file that is truncated.
  var copies: Set<FileStamp> = []
  /// The files that the pattern has matched most recently.
  var matching: Set<FileStamp.Identity> = []
  /// Files that cannot be read: as they were found, when, and whether that was reported.
  var leftOut: [String: (stamp: FileStamp, since: Int64, isTold: Bool)] = [:]
  private let clock = LiveClock()
  /// When the names are checked again.
  private var nextLook: Int64 = 0
  /// The file whose turn it is.
  private var turn = 0
  /// A pipe into which nothing is written.
  private let pipe: (reader: FileDescriptor, writer: FileDescriptor)?

  let follows = true
  var signal: FileDescriptor? { pipe?.reader }
  var now: Int64 { clock.now.nanoseconds }

  /// Nanoseconds in which the writer of a rotated file may still write to it.
  static let patience: Int64 = 5_000_000_000

  private init(_ pattern: String, _ files: SeriesFiles) {
    (self.pattern, self.files) = (pattern, files)
    isPattern = Glob.isPattern(pattern)
    pipe = try? FileDescriptor.pipe()
  }

  /// Opens the files at their positions, and those without one at their start.
  static func begin(
    _ pattern: String, _ files: SeriesFiles, _ type: CELType, resuming positions: [FeedPosition]
  ) throws(Diagnostic) -> (file: FeedFile, series: FollowedFiles) {
    let series = FollowedFiles(pattern, files)
    try series.resume(positions, type)
    if positions.isEmpty {
      try series.addFirst(type)
      series.knowFormer()
    } else if series.isPattern {
      // Rotated files that the pattern matches belong to their paths.
      series.look(type)
    }
    if series.entries.isEmpty { try series.awaitFile(pattern, type) }
    return (series.entries[0].file, series)
  }

  /// Opens the files when the run begins. None of them is the copy of another.
  private func addFirst(_ type: CELType) throws(Diagnostic) {
    for path in isPattern ? Glob.files(pattern) : [pattern] {
      do throws(Diagnostic) {
        entries.append(FollowedFile(path, try files.open(path, type, follows: true)))
      } catch {
        guard error.code == .fileNotFound else { throw error }
        if !isPattern { try awaitFile(path, type) }
      }
    }
  }

  /// Notes the files of the paths that were rotated before the run began: they are not read.
  private func knowFormer() {
    for path in Set(entries.map(\.path)) where !isAnyOfPattern(path) {
      for found in RotatedFiles.paths(of: path).compactMap(FoundFile.init) where !isOpen(found.identity) {
        guard let file = found.content else { continue }
        defer { file.close() }
        let count = min(Int(found.stamp.size), ContentEdges.length)
        if let edges = try? ContentEdges(of: file, before: count) { known.add(found.identity, KnownContent(edges)) }
      }
    }
  }

  /// Waits for a file at a path.
  ///
  /// - Parameter stamp: The time from which on files are missed.
  func awaitFile(_ path: String, since stamp: FileStamp = .ofNoFile, _ type: CELType) throws(Diagnostic) {
    if !isPattern, FileStamp(path) == nil {
      files.report.say("note: there is no file '\(path)' yet; the run waits for it")
    }
    entries.append(try nothing(path, since: stamp, type))
  }

  /// A placeholder without content, which is read until there is a file at a path.
  ///
  /// - Parameter stamp: The time from which on files are missed: one before the names of files were read last, since to
  ///   compare files takes time, in which others are written and renamed.
  func nothing(_ path: String, since stamp: FileStamp, _ type: CELType) throws(Diagnostic) -> FollowedFile {
    let file = try files.open("/dev/null", type)
    let nothing = FeedFile(path, file.descriptor, file.pieces, file.source.format, type)
    return FollowedFile(path, nothing, .missing, stamp: stamp)
  }

  /// Whether a file is still among those that are read.
  private func isRead(_ entry: FollowedFile) -> Bool { entries.contains { $0 === entry } }

  func isOpen(_ identity: FileStamp.Identity) -> Bool { entries.contains { $0.identity == identity } }

  /// Closes a file that is no longer read.
  func remove(_ entry: FollowedFile) {
    entries.removeAll { $0 === entry }
    release(entry)
  }

  func release(_ entry: FollowedFile) {
    files.used.endInput(entry.file.descriptor)
    entry.file.close()
  }

  // MARK: Reading

  func hasMore(than file: FeedFile) -> Bool {
    let now = now
    return now >= nextLook || entries.contains { $0.isDue(at: now) }
  }

  func readable(_ file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile {
    // The values that have been read come first.
    guard file.pieces.needsMore || !entries.contains(where: { $0.file === file }) else { return file }
    do throws(Diagnostic) {
      let isDue = now >= nextLook
      if isDue {
        look(type)
        nextLook = now + (isPattern ? 2 : 1) * FollowingService.interval
      }
      // Files take turns, though a busy one is read for a while.
      if let next = try nextReadable(isDue ? nil : file, type) { return next }
      if entries.isEmpty { try awaitFile(pattern, type) }
    } catch {
      throw .refused(error, nil)
    }
    return entries.contains { $0.file === file } ? file : entries[0].file
  }

  /// Returns a file that can be read now; nil if there is none.
  ///
  /// - Parameter file: The file that comes first. Default: the files take turns.
  private func nextReadable(_ file: FeedFile?, _ type: CELType) throws(Diagnostic) -> FeedFile? {
    let place = entries.firstIndex { $0.file === file } ?? turn % max(entries.count, 1)
    turn = place + 1
    for entry in entries[place...] + entries[..<place] where isRead(entry) && entry.isDue(at: now) {
      // Older files of a path come before newer ones.
      let older = entries.prefix { $0 !== entry }.filter { $0.path == entry.path }
      if let found = try readable(older + [entry], type) { return found }
    }
    return nil
  }

  /// Returns the first of some files that can be read now.
  private func readable(_ some: [FollowedFile], _ type: CELType) throws(Diagnostic) -> FeedFile? {
    for entry in some where isRead(entry) && entry.isDue(at: now) {
      if entry.isGone() {
        guard entry.file.source.formatReader?.isHolding != true else {
          // The first line has been read completely, and nothing will follow it.
          entry.file.source.formatReader?.stopHolding()
          return entry.file
        }
        return try readable(restart(entry, type), type)
      }
      if entry.hasUnread {
        guard entry.isCurrent, entry.edges.offset < ContentEdges.length else { return entry.file }
        findFormer(of: entry, type)
        if entry.isGone() { return try readable(restart(entry, type), type) }
        return entries.first { $0.path == entry.path && $0.isDue(at: now) }?.file
      }
      switch entry.kind {
      case .closed: return entry.file
      case .copy:
        note(entry)
        remove(entry)
      case .rotated(let end) where now >= end:
        // It may be a file of its own, which has the name of a rotated one.
        guard entry.identity.map(matching.contains) != true else {
          entry.rotate(until: now + Self.patience)
          break
        }
        entry.end()
        return entry.file
      case .current, .missing, .rotated: break
      }
    }
    return nil
  }

  func noteRead(_ file: FeedFile) { entries.first { $0.file === file }?.verifyRead() }

  func next(after file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile? {
    let entry = entries.first { $0.file === file }
    if let entry {
      note(entry)
      remove(entry)
    }
    do throws(Diagnostic) {
      let stamp = entry?.stamp ?? .ofNoFile
      // The wait for a file has been reported.
      if let entry, entry.isMissing { entries.append(try nothing(entry.path, since: stamp, type)) }
      if entries.isEmpty { try awaitFile(pattern, since: stamp, type) }
    } catch {
      throw .refused(error, nil)
    }
    return entries[0].file
  }

  /// Notes that a file has been read.
  func note(_ entry: FollowedFile) {
    guard let edges = entry.file.pieces.readEdges else {
      if let content = KnownContent(compressed: entry.file.descriptor) { known.add(entry.identity, content) }
      return
    }
    known.add(entry.identity, KnownContent(edges))
  }

  func close() {
    for entry in entries { entry.file.close() }
    entries = []
    pipe?.reader.close()
    pipe?.writer.close()
  }
}
