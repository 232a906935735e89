internal import CEL
internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Files that grow, read on and on as by `tail -F`: one path, or all that a pattern matches.
///
/// A file whose path leads to another file from now on has been rotated: it is read to its end, and for some seconds
/// more, beside the new one. A file that has become shorter has been copied and truncated: the bytes that were not read
/// before that are read from the copy. A file is recognized by its content.
final class FollowedFiles: FeedSeries {
  /// One of the files.
  final class Entry {
    /// The path that is followed.
    let path: String
    var file: FeedFile
    /// The content before the bytes that have not been read.
    var mark: (offset: Int, fingerprint: FileFingerprint)?
    /// The stamp of the file at the latest check.
    var stamp: FileStamp?
    /// When a rotated file is given up, in nanoseconds; nil for the file at the path.
    var deadline: Int64?
    /// Whether the file is read to its end and no further.
    var isEnding = false

    init(_ path: String, _ file: FeedFile) { (self.path, self.file) = (path, file) }
  }

  private let pattern: String
  private let isPattern: Bool
  private let files: SeriesFiles
  private var entries: [Entry] = []
  /// Files that have been read, or are copies of such files.
  private var known: [FileStatus.Identity: (offset: Int, fingerprint: FileFingerprint)] = [:]
  private let clock = LiveClock()
  /// When the names are checked again.
  private var nextLook: Int64 = 0
  /// A pipe into which nothing is written.
  private let pipe: (reader: FileDescriptor, writer: FileDescriptor)?

  let follows = true
  var signal: FileDescriptor? { pipe?.reader }

  /// Nanoseconds between two checks of the names of files.
  private static let interval: Int64 = 200_000_000
  /// Nanoseconds in which the writer of a rotated file may still write to it.
  private static let patience: Int64 = 5_000_000_000

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
    let missing = series.missing(in: positions)
    for position in positions where !position.isDone && !missing.contains(position) {
      try series.resume(position, type)
    }
    series.recognize(positions.filter(\.isDone))
    for path in Set(series.entries.map(\.path)).sorted() { try series.addMissed(path, type) }
    if series.isPattern {
      try series.join(type)
    } else if series.entries.isEmpty {
      try series.add(pattern, isNeeded: true, type)
    }
    if series.entries.isEmpty { try series.addNothing(pattern, type) }
    return (series.entries[0].file, series)
  }

  private func add(_ path: String, isNeeded: Bool, _ type: CELType) throws(Diagnostic) {
    if !isNeeded, (try? FileStatus(path)) == nil { return try addNothing(path, type) }
    entries.append(Entry(path, try files.open(path, type, follows: true)))
  }

  /// Waits for a file at a path.
  private func addNothing(_ path: String, _ type: CELType) throws(Diagnostic) {
    entries.append(Entry(path, try nothing(path, type)))
  }

  /// A file without content, which is read until the file at a path exists.
  private func nothing(_ path: String, _ type: CELType) throws(Diagnostic) -> FeedFile {
    let file = try files.open("/dev/null", type, follows: true)
    return FeedFile(path, file.descriptor, file.pieces, file.source.format, type, at: FilePlace())
  }

  // MARK: Reading

  func hasMore(than file: FeedFile) -> Bool {
    if let entry = entries.first(where: { $0.file === file }), hasMore(entry) { return true }
    if isPattern, clock.now.nanoseconds >= nextLook { return true }
    return entries.contains { hasMore($0) || $0.deadline == nil && !$0.isEnding && hasBeenReplaced($0) }
  }

  func readable(_ file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile {
    let current = entries.first { $0.file === file }
    if let current, hasMore(current) { return file }
    do throws(Diagnostic) {
      if isPattern, clock.now.nanoseconds >= nextLook {
        try join(type)
        nextLook = clock.now.nanoseconds + Self.interval
      }
      for entry in entries where entry.deadline == nil && !entry.isEnding { try followRotation(entry, type) }
    } catch {
      throw .refused(error, nil)
    }
    return entries.first(where: hasMore)?.file ?? file
  }

  /// Whether more of a file can be read, or its end is reached.
  private func hasMore(_ entry: Entry) -> Bool {
    if entry.isEnding { return true }
    let descriptor = entry.file.descriptor
    guard let size = try? descriptor.status().size, let offset = descriptor.offset else { return false }
    // A file that was truncated may have become as long as before in the meantime, or longer.
    if size < offset || hasChangedBefore(offset, entry) {
      endTruncated(entry)
      return true
    }
    if size > offset { return true }
    guard let deadline = entry.deadline, clock.now.nanoseconds >= deadline else { return false }
    end(entry)
    return true
  }

  /// Whether the bytes of a file that have been read differ from those that are there now.
  private func hasChangedBefore(_ offset: Int, _ entry: Entry) -> Bool {
    guard let mark = entry.mark, mark.offset == offset, let stamp = FileStamp(entry.file.descriptor),
      stamp != entry.stamp
    else { return false }
    entry.stamp = stamp
    return isChanged(entry.file.descriptor, mark)
  }

  private func isChanged(_ file: FileDescriptor, _ mark: (offset: Int, fingerprint: FileFingerprint)) -> Bool {
    (try? FileFingerprint(of: file, before: mark.offset)) != mark.fingerprint
  }

  /// Whether the path of a file leads to another file with content.
  private func hasBeenReplaced(_ entry: Entry) -> Bool {
    guard let status = try? FileStatus(entry.path), status.size > 0 || status.kind != .regular else { return false }
    return (try? entry.file.descriptor.status().identity) != status.identity
  }

  func noteRead(_ file: FeedFile) {
    guard let entry = entries.first(where: { $0.file === file }), !entry.isEnding else { return }
    mark(entry)
  }

  private func mark(_ entry: Entry) {
    guard let offset = entry.file.descriptor.offset, offset > 0, entry.mark?.offset != offset else { return }
    entry.mark = (try? FileFingerprint(of: entry.file.descriptor, before: offset)).map { (offset, $0) }
  }

  // MARK: Rotation

  /// Reads the file to which a path leads now, and those between, beside the rotated file.
  private func followRotation(_ entry: Entry, _ type: CELType) throws(Diagnostic) {
    guard !hasUnread(entry.file.descriptor), hasBeenReplaced(entry) else { return }
    let between = siblings(of: entry.path, after: entry.file.descriptor)
    entry.deadline = clock.now.nanoseconds + Self.patience
    if let status = try? entry.file.descriptor.status(), let mark = entry.mark { known[status.identity] = mark }
    for path in between { try addRotated(path, of: entry.path, type) }
    do throws(Diagnostic) {
      entries.append(Entry(entry.path, try files.open(entry.path, type, follows: true)))
    } catch {
      guard error.code == .fileNotFound else { throw error }
      try addNothing(entry.path, type)
    }
  }

  private func hasUnread(_ file: FileDescriptor) -> Bool {
    guard let size = try? file.status().size, let offset = file.offset else { return false }
    return size > offset
  }

  /// Reads a file that was rotated before it was read.
  private func addRotated(_ path: String, of original: String, _ type: CELType) throws(Diagnostic) {
    let entry = Entry(original, try files.open(path, type, follows: true))
    entry.deadline = clock.now.nanoseconds + Self.patience
    entries.append(entry)
  }

  /// The rotated files of a path that were written after a file, in the order of their last changes.
  private func siblings(of path: String, after file: FileDescriptor) -> [String] {
    guard let stamp = FileStamp(file) else { return [] }
    let open = Set(entries.compactMap { try? $0.file.descriptor.status().identity })
    return RotatedFiles.paths(of: path)
      .compactMap { path in FileStamp(path).map { (path, $0) } }
      .filter { path, other in
        guard other.isLater(than: stamp), let status = try? FileStatus(path), status.size > 0 else { return false }
        return !open.contains(status.identity) && !isKnown(path, status)
      }
      .sorted { $1.1.isLater(than: $0.1) }
      .map(\.0)
  }

  /// Reads the rest of a truncated file from its copy, if there is one.
  private func endTruncated(_ entry: Entry) {
    var copy: FileDescriptor?
    if let mark = entry.mark {
      for path in RotatedFiles.paths(of: entry.path) + (isPattern ? Glob.files(pattern) : []) where path != entry.path {
        guard let status = try? FileStatus(path), status.size >= mark.offset, known[status.identity] == nil,
          !entries.contains(where: { (try? $0.file.descriptor.status().identity) == status.identity }),
          let file = try? FileDescriptor.open(path)
        else { continue }
        if !isChanged(file, mark), (try? file.seek(to: mark.offset)) != nil {
          known[status.identity] = mark
          copy = file
          break
        }
        file.close()
      }
    }
    if let copy {
      entry.file.descriptor.close()
      entry.file.descriptor = copy
    }
    entry.file.pieces.endFollowing(with: copy)
    entry.isEnding = true
  }

  private func end(_ entry: Entry) {
    entry.file.pieces.endFollowing()
    entry.isEnding = true
  }

  func next(after file: FeedFile, _ type: CELType) throws(RunStop) -> FeedFile? {
    guard let place = entries.firstIndex(where: { $0.file === file }) else { return entries.first?.file }
    let entry = entries[place]
    if let status = try? file.descriptor.status(), let mark = entry.mark { known[status.identity] = mark }
    file.pieces.stop()
    file.descriptor.close()
    do throws(Diagnostic) {
      if entry.deadline != nil {
        entries.remove(at: place)
        if entries.isEmpty { try addNothing(entry.path, type) }
        return entries[0].file
      }
      // It was truncated, and begins again.
      let exists = (try? FileStatus(entry.path)) != nil
      let next = exists ? try files.open(entry.path, type, follows: true) : try nothing(entry.path, type)
      let fresh = Entry(entry.path, next)
      entries[place] = fresh
      return fresh.file
    } catch {
      throw .refused(error, nil)
    }
  }

  // MARK: New files

  /// Opens the files that match the pattern and are new.
  private func join(_ type: CELType) throws(Diagnostic) {
    for path in Glob.files(pattern) where !entries.contains(where: { $0.path == path && $0.deadline == nil }) {
      guard let status = try? FileStatus(path), status.size > 0 || status.kind != .regular, !isKnown(path, status),
        !entries.contains(where: { (try? $0.file.descriptor.status().identity) == status.identity }),
        !isCopy(path, status)
      else { continue }
      entries.append(Entry(path, try files.open(path, type, follows: true)))
    }
    // The file that stood for those to come is no longer needed.
    if entries.count > 1, let place = entries.firstIndex(where: { $0.path == pattern }) {
      entries[place].deadline = 0
    }
  }

  /// Whether a file has been read under another name. Its number may be that of a file that is gone.
  private func isKnown(_ path: String, _ status: FileStatus) -> Bool {
    guard let mark = known[status.identity], status.size >= mark.offset, let file = try? FileDescriptor.open(path)
    else { return false }
    defer { file.close() }
    return !isChanged(file, mark)
  }

  /// Whether a file has, so far, the content of one that is followed: it may become a copy, made before truncation.
  private func isCopy(_ path: String, _ status: FileStatus) -> Bool {
    guard status.kind == .regular, let file = try? FileDescriptor.open(path) else { return false }
    defer { file.close() }
    return entries.contains { entry in
      guard let size = try? entry.file.descriptor.status().size, status.size <= size,
        let original = try? FileFingerprint(of: entry.file.descriptor, before: status.size)
      else { return false }
      return (try? FileFingerprint(of: file, before: status.size)) == original
    }
  }

  // MARK: Positions

  func positions(
    of input: String, current: FeedFile, recordCount: Int, isDone: Bool
  ) throws(SystemError) -> [FeedPosition] {
    var positions: [FeedPosition] = []
    for entry in entries where entry.file.descriptor.offset ?? 0 > 0 {
      var position = try self.position(of: entry, input, recordCount: entry.file === current ? recordCount : 0)
      position.file = entry.path
      let size = try? entry.file.descriptor.status().size
      if entry.deadline != nil, size == position.place.offset { position.wasRotated = true }
      positions.append(position)
    }
    return positions + knownPositions(of: input)
  }

  private func position(
    of entry: Entry, _ input: String, recordCount: Int
  ) throws(SystemError) -> FeedPosition {
    do throws(SystemError) {
      return try entry.file.position(of: input, recordCount: recordCount, isDone: false)
    } catch {
      // The file has just been truncated.
      let source = entry.file.source
      guard let mark = entry.mark, mark.offset == source.place.offset else { throw error }
      return FeedPosition(
        input: input, file: entry.path, format: source.format.rawValue, place: source.place, recordCount: recordCount,
        isDone: false, fingerprint: mark.fingerprint)
    }
  }

  /// The ends of files that have been read and that the pattern still matches.
  private func knownPositions(of input: String) -> [FeedPosition] {
    guard isPattern, !known.isEmpty else { return [] }
    return Glob.files(pattern).compactMap { path in
      guard let status = try? FileStatus(path), let mark = known[status.identity] else { return nil }
      var place = FilePlace()
      place.offset = mark.offset
      return FeedPosition(
        input: input, file: path, format: "", place: place, recordCount: 0, isDone: true, fingerprint: mark.fingerprint)
    }
  }

  /// Positions in rotated files that had been read to their ends and no longer exist, such as compressed ones.
  ///
  /// NB: Only if another file of the same path is found: files that were rotated later follow from its age.
  private func missing(in positions: [FeedPosition]) -> Set<FeedPosition> {
    guard positions.contains(where: { $0.wasRotated == true }) else { return [] }
    let (found, lost) = (positions.filter { find($0) != nil }, positions.filter { find($0) == nil })
    return Set(
      lost.filter { position in
        position.wasRotated == true && found.contains { $0.file == position.file && !$0.isDone }
      })
  }

  /// The path of the file that has the content before a position.
  private func find(_ position: FeedPosition) -> String? {
    ([position.file] + RotatedFiles.paths(of: position.file)).first { isAt(position, $0) }
  }

  /// Opens the file of a position, which may have been rotated since.
  private func resume(_ position: FeedPosition, _ type: CELType) throws(Diagnostic) {
    let path = position.file
    let found = find(position)
    // NB: If no file has the content, this reports the difference of the file at the path.
    let entry = Entry(path, try files.open(found ?? path, type, at: position, follows: true))
    if let found, found != path { entry.deadline = clock.now.nanoseconds + Self.patience }
    mark(entry)
    entries.append(entry)
  }

  /// Recognizes files that were read to their ends, under whatever names that the pattern matches.
  private func recognize(_ positions: [FeedPosition]) {
    guard isPattern, !positions.isEmpty else { return }
    for path in Glob.files(pattern) {
      guard let status = try? FileStatus(path), let file = try? FileDescriptor.open(path) else { continue }
      defer { file.close() }
      for position in positions where position.place.offset <= status.size {
        guard let fingerprint = position.fingerprint else { continue }
        let mark = (offset: position.place.offset, fingerprint: fingerprint)
        if !isChanged(file, mark) { known[status.identity] = mark }
      }
    }
  }

  /// Opens the files of a path that were rotated after those that have been resumed, and the file at the path.
  private func addMissed(_ path: String, _ type: CELType) throws(Diagnostic) {
    let own = entries.filter { $0.path == path }
    guard own.allSatisfy({ $0.deadline != nil }) else { return }
    let latest = own.max { first, second in
      guard let first = FileStamp(first.file.descriptor), let second = FileStamp(second.file.descriptor) else {
        return false
      }
      return second.isLater(than: first)
    }
    guard let latest else { return }
    for rotated in siblings(of: path, after: latest.file.descriptor) { try addRotated(rotated, of: path, type) }
    try add(path, isNeeded: false, type)
  }

  /// Whether a file has the content before a position.
  private func isAt(_ position: FeedPosition, _ path: String) -> Bool {
    guard let fingerprint = position.fingerprint, let file = try? FileDescriptor.open(path) else { return false }
    defer { file.close() }
    let identity = try? file.status().identity
    if entries.contains(where: { (try? $0.file.descriptor.status().identity) == identity }) { return false }
    return (try? FileFingerprint(of: file, before: position.place.offset)) == fingerprint
  }

  func close() {
    for entry in entries {
      entry.file.pieces.stop()
      entry.file.descriptor.close()
    }
    entries = []
    pipe?.reader.close()
    pipe?.writer.close()
  }
}

/// The names that programs give to rotated files: `a.log.1`, `a.log-20260131`, `a.log.2026-01-31`, `a-20260131.log`.
enum RotatedFiles {
  /// The paths of the rotated files of a path that exist.
  static func paths(of path: String) -> [String] {
    let (directory, name) = (Path.directory(of: path), Path.name(of: path))
    let names = (try? Directory.names(in: directory)) ?? []
    return names.filter { isRotated($0, of: name) }.map { Path.join(directory, $0) }
  }

  static func isRotated(_ text: String, of name: String) -> Bool {
    if text.hasPrefix(name), isMark(text.dropFirst(name.count)) { return true }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    let (stem, ending) = (name[..<dot], name[dot...])
    return text.hasPrefix(stem) && text.hasSuffix(ending) && text.count > stem.count + ending.count
      && isMark(text.dropFirst(stem.count).dropLast(ending.count))
  }

  /// Whether a part of a name is a separator with a number or a time.
  private static func isMark(_ text: Substring) -> Bool {
    guard let first = text.first, first == "." || first == "-" || first == "_", text.count > 1 else { return false }
    return text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber || "-_.TZ".contains($0) }
      && text.contains { $0.isNumber }
  }
}

/// Wakes the run several times a second to check whether files that are followed have grown.
final class FollowingService: RunService {
  /// Nanoseconds between two checks.
  static let interval: Int64 = 100_000_000

  var untilDue: Int64? { Self.interval }
  func serve(_ run: RunSession) throws(RunStop) {}
}
