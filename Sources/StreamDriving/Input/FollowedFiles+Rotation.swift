internal import CEL
internal import StreamCore
internal import StreamFiles
internal import StreamKit

// Files that have been renamed, truncated, copied or compressed, and new files.
extension FollowedFiles {
  /// Nanoseconds for which a file that cannot be read must not change before it is reported.
  private static let settling: Int64 = 1_000_000_000

  /// Finds out which files the paths lead to.
  func look(_ type: CELType) {
    for entry in entries where entry.isCurrent || entry.isMissing { followRotation(entry, type) }
    if isPattern { join(type) }
    known.forget { Set(names(of: Set(entries.map(\.path))).compactMap { FileStamp($0)?.identity }) }
  }

  /// The paths that the pattern matches, and those of the rotated files of paths.
  func names(of paths: Set<String>) -> [String] {
    Array(Set((isPattern ? Glob.files(pattern) : []) + paths.flatMap(RotatedFiles.paths))).sorted()
  }

  /// The number of attempts to find files while they are renamed.
  static let attempts = 10

  /// The files that have some names at one moment, although a program may be renaming them.
  ///
  /// While a file is compressed, both exist: the plain one is complete.
  ///
  /// - Parameter paths: The paths whose compressed files are rotated ones with other content.
  func found(besides paths: Set<String>, _ names: () -> [String]) -> [FoundFile] {
    var found = names().compactMap(FoundFile.init)
    for _ in 0..<Self.attempts {
      let former = found.map { [$0.path: $0.identity] }
      found = names().compactMap(FoundFile.init)
      if found.map({ [$0.path: $0.identity] }) == former { break }
    }
    let plain = Set(found.map(\.path)).subtracting(paths)
    return found.filter { file in
      !file.isNamedAsCompressed || file.stamp.size > 0 && !plain.contains(FileFormat.uncompressed(file.path))
    }
  }

  /// Reads the file to which a path leads now, and those between, beside the rotated file.
  private func followRotation(_ entry: FollowedFile, _ type: CELType) {
    guard !isAnyOfPattern(entry.path) else { return }
    let time = FileStamp.ofNoFile
    let stamp = FileStamp(entry.path)
    if let stamp, stamp.identity == entry.identity { return findFormer(of: entry, type) }
    // NB: If it was truncated before it was renamed, the rest of what it had is in a copy.
    guard !entry.isGone() else { return }
    guard let stamp, !stamp.isRegular || stamp.size > 0 else {
      // Files may have been rotated in between.
      guard let between = missed(entry.path, after: entry.stamp ?? time, type) else { return }
      guard !isTruncated(entry, before: between) else { return between.forEach(release) }
      entries += between
      guard stamp == nil else { return }
      if entry.isMissing { entry.stamp = time } else if isPattern { leaveRemoved(entry, type) }
      return
    }
    guard !entry.hasUnread else { return }
    // The pattern may match the names of rotated files, too.
    let isRead = isOpen(stamp.identity) || FoundFile(entry.path).map { known.content(of: $0) != nil } == true
    let next = isRead ? nil : openNew(entry.path, stamp, type).map { FollowedFile(entry.path, $0) }
    guard isRead || next != nil, let following = following(entry.path, next, after: entry.stamp ?? time, type) else {
      return
    }
    guard !isTruncated(entry, before: following) else { return following.forEach(release) }
    if !entry.isMissing {
      entry.rotate(until: now + Self.patience)
      note(entry)
    }
    entries += following
    if entry.isMissing { remove(entry) }
  }

  /// Ends with a file that has been removed, so that its space is free.
  private func leaveRemoved(_ entry: FollowedFile, _ type: CELType) {
    guard entry.file.descriptor.isRemoved, !entry.hasUnread else { return }
    entry.rotate(until: now + Self.patience)
    note(entry)
    guard !RotatedFiles.paths(of: entry.path).isEmpty,
      let nothing = try? nothing(entry.path, since: entry.stamp ?? .ofNoFile, type)
    else { return }
    entries.append(nothing)
  }

  /// Whether a file was truncated before it was renamed. If only little has been read, with which several files may begin,
  /// another file with that beginning shows it, unless it was changed later.
  private func isTruncated(_ entry: FollowedFile, before following: [FollowedFile]) -> Bool {
    if entry.isGone() { return true }
    let edges = entry.edges
    guard entry.isCurrent, entry.hasUnread, edges.offset > 0, edges.offset < ContentEdges.length,
      let stamp = FileStamp(entry.file.descriptor)
    else { return false }
    let hasCopy = following.contains { next in
      guard let found = FoundFile(next.file.name), found.identity == next.identity else { return false }
      return !found.stamp.isLater(than: stamp) && found.has(edges)
    }
    if hasCopy { entry.truncate() }
    return hasCopy
  }

  /// Opens the files of a path that were rotated before they were read, beside one that has just been opened at the path.
  ///
  /// - Parameters:
  ///   - next: The file at the path, which is not missed; nil if there is none that is to be read.
  ///   - stamp: A stamp that the file at the path had before them, or with them.
  /// - Returns: All of them, older ones first; nil if the run is to stop.
  private func following(
    _ path: String, _ next: FollowedFile?, after stamp: FileStamp, _ type: CELType
  ) -> [FollowedFile]? {
    guard let next else { return missed(path, after: stamp, type) }
    entries.append(next)
    let between = missed(path, after: stamp, type)
    entries.removeAll { $0 === next }
    guard let between else {
      release(next)
      return nil
    }
    // To compare files takes time, in which it may have been rotated, and others after it.
    guard FileStamp(path)?.identity != next.identity, let last = FileStamp(next.file.descriptor) else {
      return between + [next]
    }
    let place = between.firstIndex { $0.stamp?.isLater(than: last) == true } ?? between.endIndex
    return between[..<place] + [next] + between[place...]
  }

  /// Notes the stamp of a file at its path. Before it has been read, earlier content may have been copied and truncated.
  func findFormer(of entry: FollowedFile, _ type: CELType) {
    guard entry.isCurrent, let former = entry.stamp, let stamp = FileStamp(entry.path), stamp != former,
      stamp.identity == entry.identity, !entry.isGone()
    else { return }
    entry.stamp = stamp
    // The bytes that have been read may be the header that each file begins with.
    guard entry.edges.offset < ContentEdges.length,
      let place = entries.firstIndex(where: { $0 === entry })
    else { return }
    guard let missed = missed(entry.path, after: former, type) else {
      entry.stamp = former
      return
    }
    guard entry.edges.offset > 0, missed.contains(where: { FoundFile($0.file.name)?.has(entry.edges) == true }) else {
      entries.insert(contentsOf: missed, at: place)
      return
    }
    for file in missed { release(file) }
    entry.stamp = former
    entry.truncate()
  }

  /// Opens the files of a path that were rotated before they were read, in the order of their last changes.
  ///
  /// - Parameter stamp: A stamp that the file at the path had before them, or with them.
  /// - Returns: Nil if the run is to stop, so that files could not be compared: the next run finds them.
  func missed(_ path: String, after stamp: FileStamp, _ type: CELType) -> [FollowedFile]? {
    for attempt in 1... {
      var missed: [FollowedFile] = []
      do throws(Diagnostic) {
        for found in unread(path, since: stamp) {
          let isCompressed = found.isCompressed
          do throws(Diagnostic) {
            let file = try files.open(found.path, as: path, type, follows: !isCompressed, identity: found.identity)
            missed.append(FollowedFile(path, file, isCompressed ? .closed : .rotated(until: now + Self.patience)))
          } catch {
            // It has been renamed or compressed a moment ago.
            if error.code == .fileNotFound, attempt < Self.attempts { throw error }
            tell(error)
          }
        }
        guard Interruption.hasHappened else { return missed }
        for entry in missed { release(entry) }
        return nil
      } catch {
        for entry in missed { release(entry) }
      }
    }
    return []
  }

  /// The rotated files of a path that have not been read, in the order of their last changes.
  private func unread(_ path: String, since stamp: FileStamp) -> [FoundFile] {
    let open = entries.filter { $0.path == path && $0.grows }
    let unread = found(besides: []) { RotatedFiles.paths(of: path) }.filter { found in
      // NB: A stamp may be that of content that has not been read.
      guard !stamp.isLater(than: found.stamp), !isOpen(found.identity), !known.contains(found) else { return false }
      // Its writer may have it open.
      if found.stamp.size == 0 { return true }
      guard open.contains(where: { isCopy(found, of: $0) }) else { return true }
      if found.isCompressed { known.add(compressed: found) }
      return false
    }
    return RotatedFiles.olderFirst(unread, of: path)
  }

  /// Whether a file has the content of an open one, perhaps on another device or compressed.
  private func isCopy(_ found: FoundFile, of entry: FollowedFile) -> Bool {
    let file = entry.file.descriptor
    if let content = FoundFile.edges(of: file), found.isWhole(content) { return true }
    return found.isWhole(entry.edges) || entry.isCurrent && !found.isCompressed && found.isBeginning(of: file)
  }

  // MARK: Truncation

  /// Reads the rest of a truncated file from its copy, if there is one, and then the file from its start.
  ///
  /// - Returns: The files that replace it.
  func restart(_ entry: FollowedFile, _ type: CELType) throws(Diagnostic) -> [FollowedFile] {
    guard let place = entries.firstIndex(where: { $0 === entry }) else { return [] }
    let time = FileStamp.ofNoFile
    let copy = rest(of: entry, type)
    var fresh = [copy].compactMap(\.self)
    let former = fresh.first?.stamp ?? entry.stamp
    entries.remove(at: place)
    // An open file is not missed.
    entries.insert(contentsOf: fresh, at: place)
    var next: FollowedFile?
    if entry.isCurrent, let stamp = FileStamp(entry.path), let file = openNew(entry.path, stamp, type) {
      next = FollowedFile(entry.path, file)
    }
    guard let following = following(entry.path, next, after: former ?? time, type), !Interruption.hasHappened else {
      for file in fresh { remove(file) }
      entries.insert(entry, at: place)
      return []
    }
    fresh += following
    if let copy { known.add(copy.identity, KnownContent(entry.edges)) }
    release(entry)
    if entry.isCurrent, next == nil { fresh.append(try nothing(entry.path, since: time, type)) }
    entries.removeAll { entry in fresh.contains { $0 === entry } }
    entries.insert(contentsOf: fresh, at: place)
    return fresh
  }

  /// Opens the copy of a truncated file behind the values that have been taken; nil if there is none.
  private func rest(of entry: FollowedFile, _ type: CELType) -> FollowedFile? {
    let edges = entry.edges
    guard edges.offset > 0, let position = try? entry.file.position(of: "", recordCount: 0, isDone: false) else {
      return nil
    }
    for _ in 0..<Self.attempts {
      let found = found(besides: [entry.path]) { names(of: [entry.path]) }
        .filter { $0.path != entry.path && !isOpen($0.identity) && !known.contains($0) }
      // Several files may have what has been read, such as a header: the next one is wanted.
      let ordered = RotatedFiles.olderFirst(found, of: entry.path)
      func isFormer(_ found: FoundFile) -> Bool { entry.stamp?.isLater(than: found.stamp) == true }
      var wasRenamed = false
      for copy in ordered.filter({ !isFormer($0) }) + ordered.filter(isFormer).reversed() {
        if copy.has(edges), let file = try? open(copy, as: entry.path, type, at: position) {
          return FollowedFile(entry.path, file, copy.isCompressed ? .closed : .copy, stamp: copy.stamp)
        }
        wasRenamed = wasRenamed || FileStamp(copy.path)?.identity != copy.identity
      }
      guard wasRenamed else { break }
    }
    return nil
  }

  /// Opens a file, which may be compressed, at a position in another one that has the same content.
  ///
  /// - Parameter path: The path that the other file had.
  func open(
    _ found: FoundFile, as path: String, _ type: CELType, at position: FeedPosition
  ) throws(Diagnostic) -> FeedFile {
    let isCompressed = found.isCompressed
    var position = position
    if isCompressed, position.isCompressed == nil, let file = found.content {
      position.isCompressed = true
      position.fingerprint = try? FileFingerprint(compressed: file)
      file.close()
    }
    return try files.open(
      found.path, as: path, type, at: position, follows: !isCompressed, identity: found.identity)
  }

  // MARK: New files

  /// Opens the files that match the pattern and are new.
  func join(_ type: CELType) {
    let files = Glob.files(pattern)
    matching = Set(files.compactMap { FileStamp($0)?.identity })
    let fresh = files.filter(isNew)
    for path in fresh {
      // Files that were rotated before their path was followed are read before the file at the path.
      guard !fresh.contains(where: { RotatedFiles.isRotated(path, of: $0) }), let stamp = FileStamp(path),
        let file = openNew(path, stamp, type)
      else { continue }
      let rotated = fresh.filter { RotatedFiles.isRotated($0, of: path) }.compactMap(FoundFile.init)
      for found in RotatedFiles.olderFirst(rotated, of: path) where !isOpen(found.identity) {
        guard let file = openNew(found.path, found.stamp, type) else { continue }
        entries.append(FollowedFile(path, file, .rotated(until: now + Self.patience)))
      }
      entries.append(FollowedFile(path, file))
    }
    // The placeholder for files to come is no longer needed.
    if entries.count > 1, let nothing = entries.first(where: { $0.path == pattern }) { remove(nothing) }
  }

  /// Whether a path leads to a file that is not followed, and has not been.
  private func isNew(_ path: String) -> Bool {
    guard !entries.contains(where: { $0.path == path && $0.isCurrent }), let stamp = FileStamp(path),
      stamp.size > 0 || !stamp.isRegular, !isOpen(stamp.identity)
    else { return false }
    return FoundFile(path).map { known.content(of: $0) == nil && !isCopy($0) } != false && !isOfFollowed(path)
  }

  /// Whether a path is that of a file that was at a followed path a moment ago: it is read in the order of that path.
  private func isOfFollowed(_ path: String) -> Bool {
    entries.contains { entry in
      (entry.isCurrent || entry.isMissing) && RotatedFiles.isRotated(path, of: entry.path)
        && FileStamp(entry.path)?.identity != entry.identity
    }
  }

  /// Whether a file has, so far, the content of one that is followed: it may become a copy, made before truncation.
  ///
  /// Two files may begin alike: a short one is taken for a copy only if it has the name of one.
  private func isCopy(_ found: FoundFile) -> Bool {
    if copies.contains(found.stamp) { return true }
    // The rest of a truncated file is read from its copy, which is found with later ones when the file is read next.
    let isAwaited = entries.contains { entry in
      entry.isGone() && (found.has(entry.edges) || RotatedFiles.isRotated(found.path, of: entry.path))
    }
    if isAwaited { return true }
    let isFound = entries.contains { entry in
      let isNamed = RotatedFiles.isRotated(Path.name(of: found.path), of: Path.name(of: entry.path))
      return entry.grows && (isNamed || found.stamp.size >= ContentEdges.length)
        && found.isBeginning(of: entry.file.descriptor)
    }
    if isFound { copies.insert(found.stamp) }
    return isFound
  }

  /// Opens a file that has appeared during the run; nil if it cannot be read, or is gone.
  func openNew(_ path: String, _ stamp: FileStamp, _ type: CELType) -> FeedFile? {
    do throws(Diagnostic) {
      let file = try files.open(path, type, follows: true)
      leftOut[path] = nil
      return file
    } catch {
      if error.code != .fileNotFound { leaveOut(path, stamp, error) }
      return nil
    }
  }

  /// Reports once that a file cannot be read, unless it is the compressed form of one that has been read.
  ///
  /// NB: A program may be about to write or to remove it.
  func leaveOut(_ path: String, _ stamp: FileStamp, _ problem: Diagnostic) {
    guard let out = leftOut[path], out.stamp == stamp || out.isTold && out.stamp.identity == stamp.identity else {
      leftOut[path] = (stamp, now, false)
      return
    }
    guard !out.isTold, now - out.since >= Self.settling else { return }
    leftOut[path]?.isTold = true
    let isRead = entries.contains { KnownContent($0.edges).isRecognized(compressedAs: path, .beginning) }
    if isRead || known.contains(beginningOfCompressed: path) { return }
    tell(problem)
  }

  private func tell(_ problem: Diagnostic) {
    var warning = problem
    (warning.severity, warning.help) = (.warning, "the run continues without it")
    files.report.report(warning)
  }
}
