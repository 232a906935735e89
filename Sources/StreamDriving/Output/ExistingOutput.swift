internal import StreamCore
internal import StreamEngine
internal import StreamFiles

/// How an output uses an existing file.
package enum OutputContinuation {
  /// The output appends to its content.
  case append
  /// The output cuts it at the position of a saved state.
  case resume
  /// The output begins a new file, and the old one gets another name.
  case replace
}

/// The content of a file that an output continues.
struct ExistingOutput {
  let path: String
  /// In bytes, at least 1.
  let length: Int

  /// Maximum number of bytes at the end of an array that are white space or its bracket.
  private static let endBytes = 4096
  /// Maximum length of a header in bytes.
  private static let headerBytes = 1_000_000

  /// Returns the length of the file without the end of its array, and whether the array has values.
  ///
  /// - Throws: A diagnostic if the file is not an array.
  func arrayEnd() throws(Diagnostic) -> (length: Int, hasValues: Bool) {
    let end = try bytes(before: length, atMost: Self.endBytes)
    let start = try bytes(before: min(length, Self.endBytes), atMost: Self.endBytes)
    guard let bracket = end.lastIndex(where: { !Self.isSpace($0) }), end[bracket] == UInt8(ascii: "]"),
      let opening = start.first(where: { !Self.isSpace($0) }), opening == UInt8(ascii: "["),
      let last = end[..<bracket].lastIndex(where: { !Self.isSpace($0) })
    else {
      throw Diagnostic(
        .cannotWrite, "'\(path)' cannot be continued: it is not a JSON array that ends with ']'",
        help: "complete the array, write to another file, or write an .ndjson file, which can always be continued")
    }
    // The array is empty if nothing but its bracket precedes the end.
    let isEmpty = end[last] == opening && end.count == length && !end[..<last].contains { !Self.isSpace($0) }
    return isEmpty ? (0, false) : (length - end.count + last + 1, true)
  }

  /// Returns the first line, without its line break.
  ///
  /// - Throws: A diagnostic if it does not end.
  func header() throws(Diagnostic) -> String {
    let start = try bytes(before: min(length, Self.headerBytes), atMost: Self.headerBytes)
    var isQuoted = false
    for (place, byte) in start.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: "\n"), !isQuoted else { continue }
      let end = place > 0 && start[place - 1] == UInt8(ascii: "\r") ? place - 1 : place
      return String(decoding: start[..<end], as: UTF8.self)
    }
    guard start.count == length, !isQuoted else {
      throw Diagnostic(
        .cannotWrite, "'\(path)' cannot be continued: the header of the CSV does not end",
        help: "write to another file")
    }
    return String(decoding: start, as: UTF8.self)
  }

  /// Gives a regular file with content the name of a rotated file, so that a run begins again with an empty one.
  static func rename(_ path: String, _ console: Console) throws(Diagnostic) {
    guard let status = try? FileStatus(path), status.kind == .regular, status.size > 0 else { return }
    let name = RotatedName(
      of: Path.name(of: path), at: LiveClock().origin, after: RotatedName.all(of: path).last)
    do throws(SystemError) {
      try Directory.move(path, to: Path.join(Path.directory(of: path), name.text))
    } catch {
      throw error.diagnostic(writing: path)
    }
    console.say("note: the run begins again; the former '\(path)' is '\(name.text)' now")
  }

  private func bytes(before offset: Int, atMost count: Int) throws(Diagnostic) -> [UInt8] {
    do throws(SystemError) {
      return try FileDescriptor.bytes(before: offset, of: path, atMost: count)
    } catch {
      throw error.diagnostic(reading: path)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
