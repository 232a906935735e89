package import StreamCore
package import StreamFiles

/// A destination of bytes: standard output, a file, or a program.
///
/// A sink receives whole records: each call of `write` ends with the end of a record.
package protocol OutputSink: AnyObject {
  /// The destination in diagnostics.
  var name: String { get }
  /// The path of the file; nil if the destination is not a file with a path.
  var path: String? { get }
  /// The length of the file in bytes; the number of bytes written if the destination is not a regular file.
  var bytes: Int { get }
  /// The file that a signal handler may write to before the process ends; nil if it must not.
  var descriptor: FileDescriptor? { get }
  /// Writes all of the bytes. Waits while the destination accepts none, which pauses the stream.
  func write(_ bytes: UnsafeRawBufferPointer) throws(RunStop)
  /// Whether `resume` removes what was written after a position.
  var canBeCut: Bool { get }
  /// Passes everything that was written to the destination, so that nothing of it is left in this process.
  ///
  /// Called before the state is saved by a copy of the process, which must write nothing but the state.
  func settle() throws(RunStop)
  /// Waits until the written bytes are stored, as far as the destination reports that. Writes nothing.
  func synchronize() throws(RunStop)
  /// Adds what it needs to resume to the position of an output.
  func describe(_ position: inout OutputPosition) throws(RunStop)
  /// Removes everything after a position.
  ///
  /// - Returns: A warning if the destination cannot do so: values may repeat.
  /// - Throws: A diagnostic if the destination is not as the position says; it is unchanged.
  func resume(from position: OutputPosition) throws(Diagnostic) -> Diagnostic?
  /// Releases the destination, at the end of the run. Called once.
  func close() throws(RunStop)
}

extension OutputSink {
  package var path: String? { nil }
  package var descriptor: FileDescriptor? { nil }
  package var canBeCut: Bool { false }
  package func settle() throws(RunStop) {}
  package func synchronize() throws(RunStop) {}
  package func describe(_ position: inout OutputPosition) throws(RunStop) {}
  package func close() throws(RunStop) {}

  /// Accepts any position, and warns that the values after it are written again.
  package func resume(from position: OutputPosition) throws(Diagnostic) -> Diagnostic? {
    .uncut(name)
  }
}

extension Diagnostic {
  /// An output cannot be cut at the position of a state.
  static func uncut(_ name: String) -> Diagnostic {
    Diagnostic(
      .cannotWrite, "\(name) cannot be shortened: values that were written after the last save are written again",
      severity: .warning)
  }
}

/// An open file of this process as the destination of an output: standard output.
final class DescriptorSink: OutputSink {
  let name: String
  private let file: FileDescriptor
  /// The length of the file up to the end of what this process has written; for a pipe, the number of these bytes.
  ///
  /// NB: Not asked for later: a copy of the process, which saves the state, shares the offset with the process.
  private(set) var bytes: Int
  /// Whether it is a regular file.
  private let isRegular: Bool

  var descriptor: FileDescriptor? { file }

  /// NB: A shell that opens the file with `>` empties it before the run that continues.
  var canBeCut: Bool { isRegular && file.isAppending }

  init(_ file: FileDescriptor, name: String) {
    (self.file, self.name) = (file, name)
    let status = try? file.status()
    isRegular = status?.kind == .regular
    bytes = isRegular ? (file.isAppending ? status?.size : file.offset) ?? 0 : 0
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RunStop) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw error.isClosedPipe ? .outputClosed : .refused(error.diagnostic(writing: name), nil)
    }
    self.bytes = isRegular ? file.offset ?? 0 : self.bytes + bytes.count
  }

  func synchronize() throws(RunStop) {
    guard isRegular else { return }
    do throws(SystemError) {
      try file.synchronize()
    } catch {
      throw .refused(error.diagnostic(writing: name), nil)
    }
    // A shell that has created the file does not wait until its name is on disk.
    Directory.synchronize(holding: file)
  }

  func describe(_ position: inout OutputPosition) throws(RunStop) { position.isRegular = isRegular }

  func resume(from position: OutputPosition) throws(Diagnostic) -> Diagnostic? {
    guard isRegular, position.isRegular else {
      var warning = Diagnostic.uncut(name)
      warning.help = "write to a file: --output FILE"
      return warning
    }
    let size = (try? file.status().size) ?? 0
    // A shell has made a new file, for what follows.
    if size == 0, !file.isAppending { return nil }
    guard size >= position.bytes else { throw .shorterOutput(name, size, position.bytes) }
    do throws(SystemError) {
      try file.truncate(to: position.bytes)
      if !file.isAppending { try file.seek(to: position.bytes) }
    } catch {
      throw error.diagnostic(writing: name)
    }
    bytes = position.bytes
    return nil
  }
}
