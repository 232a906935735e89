import StreamCore
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are not there, cannot be read, or are not what was expected.
@Suite struct FileTests {
  @Test("A missing file is reported with the nearest name")
  func notFound() {
    let folder = Fixture.Folder()
    folder.add("quakes.json", "{}")
    let outcome = Subprocess.run(["quaks.json"], in: folder.path)
    #expect(
      outcome
        == Outcome(
          output: "",
          errors: "error S502: there is no file 'quaks.json'\n    = help: did you mean 'quakes.json'?\n", code: 2))
  }

  @Test("A directory is not a stream file")
  func directory() {
    let folder = Fixture.Folder()
    folder.addFolder("inner")
    let outcome = Subprocess.run(["inner"], in: folder.path)
    let errors = "error S504: 'inner' is a directory; expected a file\n    = help: name a file in it\n"
    #expect(outcome == Outcome(output: "", errors: errors, code: 2))
  }

  @Test("A directory is not an input, and a missing input is reported too")
  func inputs() {
    let folder = Fixture.Folder()
    folder.addFolder("inner")
    folder.add(
      "s.json",
      #"{"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": ["b"]}}]}"#)
    let outcome = Subprocess.run(["s.json", "--input", "a=inner", "--input", "b=gone"], in: folder.path)
    #expect(
      outcome.errors
        == "error S504: 'inner' is a directory; expected a file\n    = help: name a file in it\n"
        + "error S502: there is no file 'gone'\n")
    #expect(outcome.code == 2)
  }

  @Test(
    "Every answer of the system has its words",
    arguments: [
      (EACCES, DiagnosticCode.permissionDenied, "there is no permission to read the file 'a.json'"),
      (ENOENT, .fileNotFound, "there is no file 'a.json'"),
      (ENOTDIR, .fileNotFound, "there is no file 'a.json'"),
      (EISDIR, .isDirectory, "'a.json' is a directory; expected a file"),
      (ELOOP, .cannotRead, "'a.json' contains a cycle of symbolic links"),
      (EIO, .cannotRead, "'a.json' cannot be read: "),
    ])
  func words(_ number: Int32, _ code: DiagnosticCode, _ message: String) {
    let diagnostic = SystemError(number: number).diagnostic(reading: "a.json")
    #expect(diagnostic.code == code)
    #expect(diagnostic.message.hasPrefix(message))
  }

  @Test("A cycle of links is reported, in files and in directories")
  func links() {
    let folder = Fixture.Folder()
    symlink("b.json", folder.path("a.json"))
    symlink("a.json", folder.path("b.json"))
    let outcome = Subprocess.run(["a.json"], in: folder.path)
    #expect(outcome.errors == "error S505: 'a.json' contains a cycle of symbolic links\n")
  }

  @Test("A file that is named by a link is found beside the file that the link leads to")
  func linkedFile() {
    let folder = Fixture.Folder()
    folder.addFolder("inner")
    Fixture.write(#"{"source": {"stream": {"file": "other.json"}}}"#, to: folder.path("inner/s.json"))
    Fixture.write(#"{"stream": [{"value": 7}]}"#, to: folder.path("inner/other.json"))
    symlink("inner/s.json", folder.path("s.json"))
    let outcome = Subprocess.run(["s.json"], in: folder.path)
    #expect(outcome == Outcome(output: "7\n", errors: "", code: 0))
    unlink(folder.path("inner/s.json"))
    unlink(folder.path("inner/other.json"))
  }

  @Test("A byte order mark at the start of a stream file is allowed")
  func mark() {
    let folder = Fixture.Folder()
    folder.add("s.json", "\u{FEFF}{\"stream\": [{\"value\": 1}]}")
    #expect(Subprocess.run(["s.json"], in: folder.path) == Outcome(output: "1\n", errors: "", code: 0))
  }

  @Test("Files that name each other many times are refused instead of compiled forever")
  func manyFiles() {
    let folder = Fixture.Folder()
    for number in 0..<30 {
      let next = #"{"source": {"stream": {"file": "\#(number + 1).json"}}}"#
      folder.add(
        "\(number).json",
        #"{"source": {"stream": {"file": "\#(number + 1).json"}}, "operators": [{"merge": {"with": [\#(next)]}}]}"#)
    }
    folder.add("30.json", #"{"stream": []}"#)
    let outcome = Subprocess.run(["0.json"], in: folder.path)
    #expect(outcome.errors.contains("error S114"))
    #expect(outcome.code == 2)
  }
}
