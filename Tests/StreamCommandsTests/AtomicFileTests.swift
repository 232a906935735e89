import StreamCore
import Testing

@testable import StreamCommands
@testable import StreamDriving

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files are replaced whole, and keep what they had.
@Suite struct AtomicFileTests {
  private let folder = Fixture.Folder()

  private func status(_ name: String) -> stat {
    var status = stat()
    lstat(folder.path(name), &status)
    return status
  }

  @Test("The mode is kept, and a new file gets the default mode of the process")
  func mode() throws {
    folder.add("a.json", "old")
    chmod(folder.path("a.json"), 0o640)
    try AtomicFile.write(Array("new".utf8), to: folder.path("a.json"))
    #expect(Fixture.read(folder.path("a.json")) == "new")
    #expect(status("a.json").st_mode & 0o7777 == 0o640)
    let mask = umask(0o027)
    umask(mask)
    try AtomicFile.write(Array("new".utf8), to: folder.path("b.json"))
    #expect(status("b.json").st_mode & 0o7777 == 0o666 & ~mask)
    #expect(Fixture.names(in: folder.path, ending: ".new").isEmpty)
  }

  @Test("A link stays a link, and what it leads to is replaced, also through another and where nothing is yet")
  func links() throws {
    folder.addFolder("inner")
    folder.add("inner/a.json", "old")
    symlink("inner/a.json", folder.path("first.json"))
    symlink("first.json", folder.path("second.json"))
    symlink("inner/b.json", folder.path("dangling.json"))
    try AtomicFile.write(Array("new".utf8), to: folder.path("second.json"))
    try AtomicFile.write(Array("made".utf8), to: folder.path("dangling.json"))
    for name in ["first.json", "second.json", "dangling.json"] {
      #expect(status(name).st_mode & S_IFMT == S_IFLNK)
    }
    #expect(Fixture.read(folder.path("inner/a.json")) == "new")
    #expect(Fixture.read(folder.path("inner/b.json")) == "made")
    unlink(folder.path("inner/a.json"))
    unlink(folder.path("inner/b.json"))
  }

  @Test("A write error is reported, and no file is left behind")
  func problems() {
    folder.addFolder("inner")
    symlink("b.json", folder.path("a.json"))
    symlink("a.json", folder.path("b.json"))
    let cases = [
      ("inner", "S504", "is a directory; expected a file"), ("gone/x.json", "S506", "its directory does not exist"),
      ("a.json", "S506", "cannot be written"), (String(repeating: "x", count: 300), "S506", "cannot be written"),
    ]
    for (name, code, message) in cases {
      let error = #expect(throws: Diagnostic.self) { try AtomicFile.write([], to: folder.path(name)) }
      #expect(error?.code.rawValue == code)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    #expect(Fixture.names(in: folder.path, ending: ".new").isEmpty)
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

  @Test("Files that killed processes have left in the directory are removed, and no others")
  func abandoned() throws {
    // A process that has ended.
    let child = Child(
      program: "/bin/sh", ["-c", "exit 0"], input: Subprocess.openRead("/dev/null"),
      output: Subprocess.openWrite(folder.path("output")), errors: nil)
    _ = child.wait()
    let mine = getpid()
    for name in [".3.snapshot.json.\(child.id)-0.new", ".a.json.\(child.id)-12.new", ".a.json.\(mine)-0.new"] {
      folder.add(name, "left")
    }
    let others = [".a.json.1-0.new", "a.json.\(child.id)-0.new", ".a.json.\(child.id).new", ".a.json.x-0.new"]
    for name in others { folder.add(name, "kept") }
    // A locked file is being written, though the process in its name has ended.
    let locked = folder.add(".b.json.\(child.id)-0.new", "kept")
    let lock = open(locked, O_RDONLY)
    flock(lock, LOCK_EX)
    try AtomicFile.write(Array("new".utf8), to: folder.path("c.json"))
    let left = Fixture.names(in: folder.path, ending: ".new").map { $0 + ".new" }.sorted()
    #expect(left == (others + [".b.json.\(child.id)-0.new"]).sorted())
    close(lock)
    try AtomicFile.write(Array("new".utf8), to: folder.path("c.json"))
    #expect(Fixture.names(in: folder.path, ending: ".new").count == others.count)
  }
}
