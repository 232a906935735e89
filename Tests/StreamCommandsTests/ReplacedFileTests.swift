import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Commands replace files whole, and keep what they had.
@Suite struct ReplacedFileTests {
  private let folder = Fixture.Folder()

  private func status(_ name: String) -> stat {
    var status = stat()
    lstat(folder.path(name), &status)
    return status
  }

  @Test(
    "A read-only file or directory is reported",
    .enabled(if: getuid() != 0, "the superuser may write every file"))
  func permissions() {
    folder.addFolder("inner")
    folder.add("inner/a.json", #"{"stream": []}"#)
    let edit = ["edit", "inner/a.json", "--append-item", "1"]
    chmod(folder.path("inner/a.json"), 0o444)
    let readOnly = Subprocess.run(edit, in: folder.path)
    #expect(readOnly.errors.hasPrefix("error S503: there is no permission to write the file 'inner/a.json'\n"))
    chmod(folder.path("inner/a.json"), 0o644)
    chmod(folder.path("inner"), 0o555)
    let closed = Subprocess.run(edit, in: folder.path)
    #expect(closed.errors.hasPrefix("error S503: 'inner/a.json' cannot be replaced: its directory may not be written"))
    chmod(folder.path("inner"), 0o755)
    #expect(readOnly.code == 2)
    #expect(closed.code == 2)
    #expect(Fixture.read(folder.path("inner/a.json")) == #"{"stream": []}"#)
    unlink(folder.path("inner/a.json"))
  }

  @Test("A pipe behind a link of the system is written to")
  func pipes() {
    folder.add("a.json", #"{"stream":[]}"#)
    for command in [
      "streamrun format a.json -o /dev/stdout | cat", "streamrun format a.json -o /dev/fd/3 3>&1 | cat",
      "ln -s /dev/fd/1 link; streamrun format a.json -o link | cat",
      "mkfifo p; cat p & streamrun format a.json -o p; wait",
    ] {
      #expect(Subprocess.shell(command, in: folder.path) == "{\n  \"stream\": []\n}\n", "\(command)")
    }
    #expect(Subprocess.shell("streamrun format a.json -o /dev/null", in: folder.path) == "")
    #expect(Fixture.names(in: folder.path, ending: ".new").isEmpty)
  }

  @Test("An edited file keeps its mode and its link")
  func edited() {
    folder.add("real.json", #"{"stream": []}"#)
    chmod(folder.path("real.json"), 0o600)
    symlink("real.json", folder.path("link.json"))
    let outcome = Subprocess.run(["edit", "link.json", "--append-item", "1"], in: folder.path)
    #expect(outcome == Outcome(output: "", errors: "", code: 0))
    #expect(Fixture.read(folder.path("real.json")) == #"{"stream": [{"value": 1}]}"#)
    #expect(status("link.json").st_mode & S_IFMT == S_IFLNK)
    #expect(status("real.json").st_mode & 0o7777 == 0o600)
  }
}
