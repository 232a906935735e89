import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A run of `s.json` that follows files, with its output in a pipe.
struct Following {
  let child: Child
  let output = Pipe()

  init(_ input: String, _ options: [String] = [], format: String = "ndjson", in folder: Fixture.Folder) {
    child = Child(
      ["s.json", "--input", input, "--follow", "--input-format", format] + options,
      input: Subprocess.openRead("/dev/null"), output: output.writer,
      errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
  }

  /// Returns the exit code.
  func stop(_ signal: Int32 = SIGINT) -> Int32 {
    child.send(signal)
    return child.wait()
  }
}

extension Fixture.Folder {
  /// Appends to a file, which is created if there is none.
  func append(_ text: String, _ name: String) {
    let file = open(path(name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = write(file, text, text.utf8.count)
    close(file)
  }

  /// Truncates a file.
  func cut(_ name: String) { truncate(path(name), 0) }
}
