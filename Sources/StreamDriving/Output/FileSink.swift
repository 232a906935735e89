package import StreamCore
package import StreamFiles

/// A file as the destination of an output: what is written is appended, and the file is rotated if that is requested.
///
/// A rotated file keeps its bytes and gets a new name; the names of rotated files follow the order of rotation. A resumed
/// run finds the file of its position by that order, even if it has been rotated since.
package final class FileSink: OutputSink {
  package let path: String?
  package var name: String { file.path }
  package var bytes: Int { shortenedLength ?? length }
  private var length: Int
  /// The path, and the open file.
  private var file: (path: String, descriptor: FileDescriptor)
  private let used: UsedFiles
  private var isOpen = true
  /// The length to which the file is shortened before the next write: an array loses its end.
  private var shortenedLength: Int?
  /// The name of the file that was rotated last; nil if there is none.
  private var latest: RotatedName?
  private let rotates: Bool
  /// Whether it is a regular file, rather than a device or a named pipe.
  private let isRegular: Bool

  /// NB: A file that loses its end first is not written to by a signal handler.
  package var descriptor: FileDescriptor? { isOpen && shortenedLength == nil ? file.descriptor : nil }

  /// Opens a file, or creates it.
  ///
  /// - Parameters:
  ///   - used: The files that the run reads and writes.
  ///   - rotates: Whether the file is rotated.
  /// - Throws: A diagnostic if the file cannot be opened, or if the run uses it already.
  package init(_ path: String, _ used: UsedFiles, rotates: Bool = false) throws(Diagnostic) {
    (self.path, self.used, self.rotates) = (path, used, rotates)
    do throws(SystemError) {
      file = (path, try FileDescriptor.appendReadable(path))
    } catch {
      throw error.diagnostic(writing: path)
    }
    let status = try? file.descriptor.status()
    isRegular = status?.kind == .regular
    length = isRegular ? status?.size ?? 0 : 0
    do throws(Diagnostic) {
      try used.noteOutput(file.descriptor, name: path)
      if rotates, !isRegular {
        throw Diagnostic(
          .invalidArgument, "'\(path)' cannot be rotated: it is not a regular file", help: "remove --rotate")
      }
    } catch {
      file.descriptor.close()
      throw error
    }
    if rotates { latest = RotatedName.all(of: path).last }
  }

  deinit { if isOpen { file.descriptor.close() } }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(RunStop) {
    try perform { () throws(SystemError) in
      if let length = shortenedLength {
        try file.descriptor.truncate(to: length)
        (self.length, shortenedLength) = (length, nil)
      }
      try file.descriptor.write(bytes)
    }
    length += bytes.count
  }

  package var canBeCut: Bool { isRegular }

  package func synchronize() throws(RunStop) {
    guard isRegular else { return }
    try perform { () throws(SystemError) in try file.descriptor.synchronize() }
    Directory.synchronize(holding: file.path)
  }

  package func close() throws(RunStop) {
    guard isOpen else { return }
    isOpen = false
    file.descriptor.close()
  }

  private func perform(_ body: () throws(SystemError) -> Void) throws(RunStop) {
    do throws(SystemError) {
      try body()
    } catch {
      throw error.isClosedPipe ? .outputClosed : .refused(error.diagnostic(writing: file.path), nil)
    }
  }

  // MARK: Content

  /// Removes the content of the file.
  func removeContent() throws(Diagnostic) {
    guard isRegular else { return }
    do throws(SystemError) {
      try file.descriptor.truncate(to: 0)
    } catch {
      throw error.diagnostic(writing: file.path)
    }
    (length, shortenedLength) = (0, nil)
  }

  /// Prepares to continue the content of the file in a format, and returns the state of its writer.
  ///
  /// A last line without a line break gets one. The end of an array is removed when the next value is written.
  ///
  /// - Throws: A diagnostic if the content cannot be continued; the file is unchanged.
  func continueContent(_ format: ValueFormat) throws(Diagnostic) -> WriterState {
    guard isRegular, bytes > 0 else { return WriterState() }
    let content = ExistingOutput(path: file.path, length: bytes)
    switch format {
    case .json:
      let (length, hasValues) = try content.arrayEnd()
      shortenedLength = length
      return WriterState(hasBegun: hasValues)
    case .csv, .tsv:
      let header = try content.header()
      try endLine("\r\n")
      return WriterState(header: header, isForeign: true)
    case .ndjson, .text, .marbles:
      try endLine("\n")
      return WriterState()
    }
  }

  private func endLine(_ lineBreak: String) throws(Diagnostic) {
    guard !FileDescriptor.endsWithLine(file.path) else { return }
    do throws(SystemError) {
      try file.descriptor.write(lineBreak)
    } catch {
      throw error.diagnostic(writing: file.path)
    }
    length += lineBreak.utf8.count
  }

  // MARK: Rotation

  /// Gives the file a name with this time, and begins a new one.
  func rotate(at time: Timestamp) throws(RunStop) {
    let name = RotatedName(of: Path.name(of: file.path), at: time, after: latest)
    try perform { () throws(SystemError) in
      try file.descriptor.synchronize()
      try Directory.move(file.path, to: pathBeside(name.text))
      let next = try FileDescriptor.appendReadable(file.path)
      file.descriptor.close()
      file.descriptor = next
    }
    latest = name
    length = (try? file.descriptor.status().size) ?? 0
    used.noteNextOutput(file.descriptor, name: file.path)
  }

  // MARK: Positions

  package func describe(_ position: inout OutputPosition) throws(RunStop) {
    position.isRegular = isRegular
    guard isRegular else { return }
    position.ending = OutputPosition.ending(of: file.descriptor, length: position.bytes)
    position.rotation?.latest = latest?.text
  }

  package func resume(from position: OutputPosition) throws(Diagnostic) -> Diagnostic? {
    guard isRegular, position.isRegular else { return .uncut("'\(file.path)'") }
    if position.rotation != nil { try takeBackRotation(to: position) }
    try position.cut(file.descriptor, file.path)
    (length, shortenedLength) = (position.bytes, nil)
    return nil
  }

  /// Gives the file of a position its name back if it has been rotated since, and removes the files that came after it.
  private func takeBackRotation(to position: OutputPosition) throws(Diagnostic) {
    let name = Path.name(of: file.path)
    let former = position.rotation?.latest.flatMap { RotatedName($0, of: name) }
    let later = RotatedName.all(of: file.path).filter { rotated in former.map { rotated > $0 } ?? true }
    defer { latest = former }
    guard let first = later.first else { return }
    let path = pathBeside(first.text)
    try position.check(path)
    do throws(SystemError) {
      // NB: If the process ends here, those that are left are in order, and the next one continues.
      for rotated in later.dropFirst().reversed() { try Directory.remove(pathBeside(rotated.text)) }
      try Directory.move(path, to: file.path)
      let reopened = try FileDescriptor.appendReadable(file.path)
      file.descriptor.close()
      file.descriptor = reopened
    } catch {
      throw error.diagnostic(writing: file.path)
    }
    used.noteNextOutput(file.descriptor, name: file.path)
  }

  private func pathBeside(_ name: String) -> String { Path.join(Path.directory(of: file.path), name) }
}
