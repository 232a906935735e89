internal import CEL
internal import StreamCore
internal import StreamFiles
internal import StreamKit

// Positions in files that grow, and how the files are found by them.
extension FollowedFiles {
  func positions(
    of input: String, current: FeedFile, recordCount: Int, isDone: Bool
  ) throws(SystemError) -> [FeedPosition] {
    var positions: [FeedPosition] = []
    // Without any file, the placeholder shows that the run has begun.
    for entry in entries where entries.count == 1 || !isAnyOfPattern(entry.path) {
      var position = try entry.file.position(of: input, recordCount: 0, isDone: false)
      position.file = entry.path
      // NB: A writer may change a rotated file after its successor.
      position.stamp = entry.stamp
      // If a file was rotated and has been read, nothing is missing once it is compressed or removed.
      if entry.isRotated, !entry.hasUnread, position.place.offset == entry.edges.offset { position.wasRotated = true }
      positions.append(position)
    }
    positions += knownPositions(of: input)
    if !positions.isEmpty { positions[0].recordCount = recordCount }
    return positions
  }

  /// The ends of files that have been read, or are not to be read, and still have a name that matters.
  private func knownPositions(of input: String) -> [FeedPosition] {
    let found = names(of: Set(entries.map(\.path))).compactMap(FoundFile.init)
    let named = found.filter { !isOpen($0.identity) }.compactMap { found in
      known.content(of: found).map { knownPosition(of: input, found.path, found.stamp, $0) }
    }
    // They may appear again, compressed. They have no name.
    let gone = known.gone { identity in isOpen(identity) || found.contains { $0.identity == identity } }
    return named + gone.map { knownPosition(of: input, "", FileStamp(of: $0.identity), $0.content) }
  }

  private func knownPosition(
    of input: String, _ path: String, _ stamp: FileStamp, _ content: KnownContent
  ) -> FeedPosition {
    var place = FilePlace()
    place.offset = content.offset
    var position = FeedPosition(
      input: input, file: path, format: "", place: place, recordCount: 0, isDone: true,
      fingerprint: content.fingerprint)
    position.stamp = stamp
    if content.isCompressed { position.isCompressed = true }
    return position
  }

  /// Whether a path is the pattern, and stands for files to come.
  func isAnyOfPattern(_ path: String) -> Bool { isPattern && path == pattern }

  // MARK: Resuming

  /// Opens the files of positions, and those that were rotated after them.
  func resume(_ positions: [FeedPosition], _ type: CELType) throws(Diagnostic) {
    // A run that did not follow the files has come to their ends.
    let open = positions.filter { !$0.format.isEmpty }
    let paths = Set(open.map(path)).sorted()
    recognize(positions.filter(\.format.isEmpty), among: found(besides: []) { names(of: Set(paths)) })
    var unread: [String: FileStamp] = [:]
    for position in open where !position.isOfNothing {
      if try resume(position, among: open, type) { continue }
      let path = path(of: position)
      guard let stamp = position.stamp, unread[path]?.isLater(than: stamp) != false else { continue }
      unread[path] = stamp
    }
    for path in paths {
      var time = FileStamp.ofNoFile
      var hasMissed = false
      let current = entries.firstIndex { $0.path == path && $0.isCurrent }
      let stamps = open.filter { self.path(of: $0) == path }.compactMap(\.stamp)
      let latest = (stamps.isEmpty ? entries.filter { $0.path == path }.compactMap(\.stamp) : stamps)
        .max { $1.isLater(than: $0) }
      if let since = unread[path] ?? (current == nil ? latest : nil) {
        if let missed = missed(path, after: since, type) {
          entries.insert(contentsOf: missed, at: current ?? entries.count)
        } else {
          // The run is to stop: the next one finds them.
          (time, hasMissed) = (since, true)
          if let current { entries[current].stamp = since }
        }
      }
      guard current == nil else { continue }
      let found = FoundFile(path)
      if let found, found.stamp.size > 0, !isOpen(found.identity), known.content(of: found) == nil,
        let file = openNew(path, found.stamp, type)
      {
        entries.append(FollowedFile(path, file, stamp: hasMissed ? time : nil))
      } else if !isPattern || found != nil || !RotatedFiles.paths(of: path).isEmpty {
        // The next file of the path is read behind its rotated ones.
        try awaitFile(path, since: time, type)
      }
    }
  }

  /// The path of the file of a position in this run.
  private func path(of position: FeedPosition) -> String { isPattern ? position.file : pattern }

  /// Recognizes files that have been read, or are not to be read, under the names that they have now.
  private func recognize(_ positions: [FeedPosition], among found: [FoundFile]) {
    let present = Set(found.map(\.identity))
    // They may have been compressed, or are being compressed.
    for position in positions where position.isCompressed != true && position.place.offset > 0 {
      known.add(position.stamp?.identity, position.known)
    }
    for file in found {
      let content = file.content
      let same = positions.first { position in
        let identity = position.stamp?.identity
        // The files may have been copied to another machine.
        guard identity == file.identity || identity.map(present.contains) != true else { return false }
        return content.map(position.known.isRecognized) == true
      }
      content?.close()
      if let same { known.add(file.identity, same.known) }
    }
  }

  /// Opens the file of a position, which may have been rotated since.
  ///
  /// - Returns: False if no value of it has been read and it has left its path: only the stamp shows which file it may be.
  private func resume(
    _ position: FeedPosition, among positions: [FeedPosition], _ type: CELType
  ) throws(Diagnostic) -> Bool {
    let path = path(of: position)
    var refusals: [FileStamp.Identity: Int] = [:]
    // NB: A file may be renamed while it is compared.
    while let found = find(position, among: positions) ?? find(position, among: positions) {
      // Others may have been rotated before it.
      if position.hasNoValue, found.path != path, found.stamp.size > 0 { return false }
      do throws(Diagnostic) {
        let isCompressed = found.isCompressed
        let file = try open(found, as: path, type, at: position)
        // Another file may begin as the former one, with a header.
        let isShort = position.place.offset < ContentEdges.length
        let stamp = isShort || found.identity == position.stamp?.identity ? position.stamp : nil
        if isCompressed {
          entries.append(FollowedFile(path, file, .closed, stamp: stamp))
        } else if found.path == path || FileStamp(path) == nil {
          entries.append(FollowedFile(path, file, stamp: stamp))
        } else if isPattern, Glob.matches(pattern, found.path),
          !RotatedFiles.isRotated(Path.name(of: found.path), of: Path.name(of: path))
        {
          entries.append(FollowedFile(found.path, file))
        } else {
          entries.append(FollowedFile(path, file, .rotated(until: now + Self.patience), stamp: stamp))
        }
        return true
      } catch {
        // It may have been rotated or truncated a moment ago.
        let count = refusals[found.identity, default: 0]
        guard error.code == .fileNotFound ? count < Self.attempts : error.code == .snapshotMismatch && count == 0 else {
          throw error
        }
        refusals[found.identity] = count + 1
      }
    }
    if position.hasNoValue { return false }
    // If it has been read, it is not read again when it appears compressed.
    if position.wasRotated == true {
      known.add(position.stamp?.identity, position.known)
    } else {
      tellGone(position, path)
    }
    return true
  }

  private func tellGone(_ position: FeedPosition, _ path: String) {
    files.report.report(
      Diagnostic(
        .snapshotMismatch,
        "the file that '\(path)' was when the state was saved is gone or was truncated; it had been read up to line "
          + "\(position.place.line)",
        severity: .warning, help: "the run continues with the file that is there now, from its start"))
  }

  /// The file that has the content before a position: with the number that the file had, or else one with this content, or
  /// else one that has been compressed.
  private func find(_ position: FeedPosition, among positions: [FeedPosition]) -> FoundFile? {
    let path = path(of: position)
    // Several files may begin with little content, such as a header: those that have more of another position are its.
    let isShort = position.place.offset < ContentEdges.length
    let longer = positions.filter { other in
      isShort && position.place.offset < other.place.offset && self.path(of: other) == path
    }
    let found = found(besides: [path]) { [path] + names(of: [path]) }.filter { file in
      !isOpen(file.identity) && !known.contains(file) && !longer.contains { isRecognized($0, in: file) }
    }
    func has(_ found: FoundFile) -> Bool { isRecognized(position, in: found, unpacks: false) }
    if let same = found.first(where: { $0.identity == position.stamp?.identity && has($0) }) { return same }
    // Another file may begin with the same header.
    guard !position.hasNoValue else { return nil }
    if let same = found.first(where: { $0.path == path && has($0) }) { return same }
    guard let stamp = position.stamp else {
      let newest = found.sorted { $0.stamp.isLater(than: $1.stamp) }
      return newest.first(where: has) ?? newest.first { position.known.isRecognized(compressedAs: $0.path, .ends) }
    }
    // Several files may begin alike. A renamed or compressed one keeps its time.
    return found.sorted { stamp.seconds(to: $0.stamp) < stamp.seconds(to: $1.stamp) }
      .first { isRecognized(position, in: $0) }
  }

  private func isRecognized(_ position: FeedPosition, in found: FoundFile, unpacks: Bool = true) -> Bool {
    guard let file = found.content else { return false }
    defer { file.close() }
    if position.known.isRecognized(in: file) { return true }
    return unpacks && found.isCompressed && position.known.isRecognized(compressedAs: found.path, .ends)
  }
}
