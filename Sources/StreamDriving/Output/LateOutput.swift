package import StreamCore

/// The file for values that arrive too late: their lines, as they were read.
package final class LateOutput {
  private let path: String
  private let file: FileDescriptor
  private var bytes: [UInt8] = []

  /// - Throws: A diagnostic if the file cannot be created.
  package init(_ path: String) throws(Diagnostic) {
    self.path = path
    do throws(SystemError) {
      file = try FileDescriptor.overwrite(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
  }

  func write(_ line: PaddedBytes?) throws(RunStop) {
    guard let line else { return }
    bytes += line.bytes
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= OutputBuffer.capacity { try flush() }
  }

  func flush() throws(RunStop) {
    defer { bytes.removeAll(keepingCapacity: true) }
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw .refused(error.diagnostic(writing: path), nil)
    }
  }
}
