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
      let bytes = FileBytes(file, name: name)
      if try file.status().kind == .directory { throw SystemError.isDirectory }
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

  init(_ file: FileDescriptor, name: String) {
    self.file = file
    self.name = name
  }

  deinit { file.close() }

  func read(atMost count: Int) throws(Diagnostic) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(atMost: count)
    } catch {
      throw error.diagnostic(reading: name)
    }
  }
}
