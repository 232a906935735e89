internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// A compressed file as the destination of an output: `out.csv.gz`.
///
/// The file has a frame (a member of gzip, a stream of xz) for each run that appends to it, and a run whose state is saved
/// begins a frame after each save. A run that continues cuts the file at the end of the frame that the state knows.
final class CompressedSink: OutputSink {
  let path: String?
  let name: String
  /// The length of the whole frames in bytes; 0 if the file is not a regular one.
  private(set) var bytes = 0
  private let compression: Compression
  private let target: FileDescriptor
  private let isRegular: Bool
  /// The frame that is being written; nil between two frames.
  private var frame: CompressedFile?
  private var isOpen = true

  var canBeCut: Bool { isRegular }

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
  /// - Parameters:
  ///   - overwrites: Whether the content of the file is removed.
  ///   - resuming: Whether `resume` is called next, which cuts the file before the program starts.
  /// - Throws: A diagnostic if the file cannot be opened or continued, or if the run uses it already.
  init(
    _ path: String, _ compression: Compression, _ format: ValueFormat, _ used: UsedFiles, overwrites: Bool,
    resuming: Bool
  ) throws(Diagnostic) {
    (self.path, name, self.compression) = (path, path, compression)
    do throws(SystemError) {
      target = try FileDescriptor.appendReadable(path)
    } catch {
      throw error.diagnostic(writing: path)
    }
    isRegular = (try? target.status().kind) == .regular
    do throws(Diagnostic) {
      try used.noteOutput(target, name: path)
      do throws(SystemError) {
        if overwrites { try target.truncate(to: 0) }
        try measure()
      } catch {
        throw error.diagnostic(writing: path)
      }
      if resuming { return }
      if bytes > 0, format.isTable || format == .json {
        throw Diagnostic(
          .cannotWrite, "'\(path)' cannot be continued: it is a compressed \(format == .json ? "array" : "table")",
          help:
            "--overwrite replaces it; or write to another file, or an .ndjson.gz file, which can always be continued")
      }
      do throws(SystemError) {
        frame = try CompressedFile(compression, to: target)
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
    try perform { () throws(SystemError) in
      if frame == nil { frame = try CompressedFile(compression, to: target) }
      try frame?.write(bytes)
    }
  }

  /// Ends the frame, unless nothing has been written since the last one.
  func settle() throws(RunStop) {
    guard let frame, frame.hasContent else { return }
    try end(frame)
  }

  func synchronize() throws(RunStop) {
    guard isRegular else { return }
    try perform { () throws(SystemError) in try target.synchronize() }
    Directory.synchronize(holding: name)
  }

  func close() throws(RunStop) {
    guard isOpen else { return }
    isOpen = false
    if let frame { try end(frame) }
  }

  private func end(_ frame: CompressedFile) throws(RunStop) {
    self.frame = nil
    try perform { () throws(SystemError) in
      try frame.close()
      try measure()
    }
  }

  /// Notes the length of the file. There is no open frame.
  private func measure() throws(SystemError) { if isRegular { bytes = try target.status().size } }

  private func perform(_ body: () throws(SystemError) -> Void) throws(RunStop) {
    do throws(SystemError) {
      try body()
    } catch {
      throw .refused(error.diagnostic(writing: name), nil)
    }
  }

  // MARK: Positions

  func describe(_ position: inout OutputPosition) throws(RunStop) {
    position.isRegular = isRegular
    if isRegular { position.ending = OutputPosition.ending(of: target, length: position.bytes) }
  }

  func resume(from position: OutputPosition) throws(Diagnostic) -> Diagnostic? {
    guard isRegular, position.isRegular else { return .uncut("'\(name)'") }
    try position.cut(target, name)
    bytes = position.bytes
    return nil
  }
}
