internal import StreamCore
internal import StreamKit

/// The files of values that stream files name, from the file system: paths are relative to the stream file.
extension FileLoader: ValueFiles {
  func open(
    _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
  ) throws(Diagnostic) -> any ValueReader {
    let name = displayName(of: path, base)
    do throws(SystemError) {
      let file = try FileDescriptor.open(Path.join(base.map(Path.directory) ?? ".", path))
      let kind = try file.status().kind
      let bytes = FileBytes(file, name: name, flushing: kind == .stream ? output : nil)
      if kind == .directory { throw SystemError.isDirectory }
      if place.offset > 0 { try file.seek(to: place.offset) }
      return format.reader(of: bytes, named: name, at: place)
    } catch {
      throw error.diagnostic(reading: name)
    }
  }
}

/// The bytes of an open file; closed when nobody reads it any more.
private final class FileBytes: ByteStream {
  private let file: FileDescriptor
  private let name: String
  /// What is written before more of the file is waited for.
  private let output: OutputBuffer?

  init(_ file: FileDescriptor, name: String, flushing output: OutputBuffer?) {
    self.file = file
    self.name = name
    self.output = output
  }

  deinit { file.close() }

  func read(atMost count: Int) throws(Diagnostic) -> [UInt8] {
    if let output, !Waiting.readable([file], nanoseconds: 0)[0] {
      do throws(RunStop) {
        try output.flush()
      } catch {
        throw Diagnostic(.cannotWrite, "what the stream publishes cannot be written")
      }
    }
    do throws(SystemError) {
      return try file.read(atMost: count)
    } catch {
      throw error.diagnostic(reading: name)
    }
  }
}
