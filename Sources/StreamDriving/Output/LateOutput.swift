@_spi(Engine) package import StreamCore
package import StreamFiles

/// The file for values that arrive too late: lines of JSON, as they were read if they were read as such.
///
/// Lines are appended to an existing file. Each is written at once, so that it is in the file before a later value of the
/// stream is printed.
package final class LateOutput {
  private let path: String
  private let file: FileDescriptor

  /// - Parameter used: The files that the run reads and writes.
  /// - Throws: A diagnostic if the file cannot be opened, or if the run uses it already.
  package init(_ path: String, _ used: UsedFiles) throws(Diagnostic) {
    if path == StandardInput.argument {
      throw Diagnostic(
        .invalidArgument, "--late-output - would mix late values with those of the stream",
        help: "write the path of a file; /dev/stderr is standard error")
    }
    self.path = path
    do throws(SystemError) {
      file = try FileDescriptor.append(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
    // NB: If what follows throws, `deinit` closes the file.
    try used.noteOutput(file, name: path)
    // A line that another program has not ended must not become part of a value.
    guard !FileDescriptor.endsWithLine(path) else { return }
    do throws(SystemError) {
      try file.write("\n")
    } catch {
      throw error.diagnostic(writing: path)
    }
  }

  deinit { file.close() }

  /// - Parameter line: The value as it was read; nil if that is not a line of JSON.
  func write(_ value: Value, _ line: PaddedBytes?) throws(RunStop) {
    let bytes = line.map { Array($0.bytes) } ?? Array(JSONWriter.compact(value).utf8)
    do throws(SystemError) {
      try file.write(bytes + [UInt8(ascii: "\n")])
    } catch {
      throw .refused(error.diagnostic(writing: path), nil)
    }
  }
}
