internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// A compressed file as the destination of an output: `out.csv.gz`.
///
/// The file has a frame of its own for each run that appends to it. It is whole when the run has ended.
final class CompressedSink: OutputSink {
  let path: String?
  let name: String
  private(set) var bytes = 0
  private let file: CompressedFile
  private let target: FileDescriptor
  private var isOpen = true

  /// Endings of formats that outputs are not written in, with the program that writes them if it reads a stream.
  private static let others = [
    "bz2": "bzip2", "lz4": "lz4", "br": "brotli", "z": "compress", "zip": nil, "7z": nil, "rar": nil, "tar": nil,
    "tgz": nil, "parquet": nil, "arrow": nil, "feather": nil, "orc": nil, "avro": nil, "xlsx": nil, "xls": nil,
    "sqlite": nil, "db": nil,
  ]

  /// Rejects a file whose name promises a format that is not written.
  static func check(_ path: String) throws(Diagnostic) {
    let name = Path.name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      let program = others[name[name.index(after: dot)...].lowercased()]
    else { return }
    let plain = String(path[..<(path.lastIndex(of: ".") ?? path.endIndex)])
    let format = ValueFormat(ofFile: plain).map { " --format \($0.rawValue)" } ?? ""
    throw Diagnostic(
      .invalidArgument, "'\(path)' would be plain text under this name",
      notes: ["formats by name: \(FileFormat.endings); each also with .gz, .zst or .xz"],
      help: program.map { "write --output '|\($0) > \(path)'\(format)" }
        ?? "write a .csv or an .ndjson file, and convert it")
  }

  /// Opens a file, or creates it, and starts the program that compresses.
  ///
  /// - Parameter overwrites: Whether the content of the file is removed.
  /// - Throws: A diagnostic if the file cannot be opened or continued, or if the run uses it already.
  init(
    _ path: String, _ compression: Compression, _ format: ValueFormat, _ used: UsedFiles, overwrites: Bool
  ) throws(Diagnostic) {
    (self.path, name) = (path, path)
    do throws(SystemError) {
      target = try FileDescriptor.appendReadable(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
    do throws(Diagnostic) {
      try used.noteOutput(target, name: path)
      let size: Int
      do throws(SystemError) {
        if overwrites { try target.truncate(to: 0) }
        size = try target.status().size
      } catch {
        throw error.diagnostic(writing: path)
      }
      if size > 0, format.isTable || format == .json {
        throw Diagnostic(
          .cannotWrite, "'\(path)' cannot be continued: it is a compressed \(format == .json ? "array" : "table")",
          help:
            "--overwrite replaces it; or write to another file, or an .ndjson.gz file, which can always be continued")
      }
      do throws(SystemError) {
        file = try CompressedFile(compression, to: target)
      } catch {
        throw error.diagnostic(writing: path)
      }
    } catch {
      target.close()
      throw error
    }
  }

  deinit { target.close() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(RunStop) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw .refused(error.diagnostic(writing: name), nil)
    }
    self.bytes += bytes.count
  }

  func close() throws(RunStop) {
    guard isOpen else { return }
    isOpen = false
    do throws(SystemError) {
      try file.close()
    } catch {
      throw .refused(error.diagnostic(writing: name), nil)
    }
  }
}
