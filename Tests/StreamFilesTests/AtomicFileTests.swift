import Foundation
import StreamCore
import Testing

@testable import StreamFiles

/// Files are replaced whole, and keep what they had.
@Suite struct AtomicFileTests {
  private let folder = TestFolder()

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
    #expect(folder.read("a.json") == "new")
    #expect(status("a.json").st_mode & 0o7777 == 0o640)
    let mask = umask(0o027)
    umask(mask)
    try AtomicFile.write(Array("new".utf8), to: folder.path("b.json"))
    #expect(status("b.json").st_mode & 0o7777 == 0o666 & ~mask)
    #expect(folder.unfinished.isEmpty)
  }

  @Test("A write to a link replaces its target, through several links, too, and if the target does not exist")
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
    #expect(folder.read("inner/a.json") == "new")
    #expect(folder.read("inner/b.json") == "made")
  }

  @Test("A private file is made whole or not at all, and replaces none")
  func creating() throws {
    try AtomicFile.create(Array("key".utf8), at: folder.path("a.pem"))
    #expect(folder.read("a.pem") == "key")
    #expect(status("a.pem").st_mode & 0o7777 == 0o600)
    #expect(status("a.pem").st_nlink == 1)
    let error = #expect(throws: SystemError.self) { try AtomicFile.create([1], at: folder.path("a.pem")) }
    #expect(error?.number == EEXIST)
    #expect(folder.read("a.pem") == "key")
    #expect(folder.unfinished.isEmpty)
  }

  @Test("A write error is reported, and no file is left behind")
  func problems() {
    folder.addFolder("inner")
    symlink("b.json", folder.path("a.json"))
    symlink("a.json", folder.path("b.json"))
    symlink("nowhere", folder.path("loose"))
    folder.add("plain", "1")
    let cases = [
      ("inner", "S504", "is a directory; expected a file"), ("gone/x.json", "S506", "its directory does not exist"),
      ("plain/x.json", "S506", "plain' is a file; expected a directory"),
      ("loose/x.json", "S506", "is a link to a path"),
      ("/proc/x.json", "S506", "no file can be created in '/proc'"),
      ("a.json", "S506", "cannot be written"), (String(repeating: "x", count: 300), "S506", "cannot be written"),
    ]
    for (name, code, message) in cases {
      let error = #expect(throws: Diagnostic.self) {
        try AtomicFile.write([], to: name.hasPrefix("/") ? name : folder.path(name))
      }
      #expect(error?.code.rawValue == code)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    #expect(folder.unfinished.isEmpty)
  }

  @Test("Files that killed processes have left in the directory are removed, and no others")
  func abandoned() throws {
    // A process that has ended.
    let ended = Process()
    ended.executableURL = URL(filePath: "/bin/sh")
    ended.arguments = ["-c", "exit 0"]
    try ended.run()
    ended.waitUntilExit()
    let (gone, mine) = (ended.processIdentifier, getpid())
    for name in [".3.snapshot.json.\(gone)-0.new", ".a.json.\(gone)-12.new", ".a.json.\(mine)-0.new"] {
      folder.add(name, "left")
    }
    let others = [".a.json.1-0.new", "a.json.\(gone)-0.new", ".a.json.\(gone).new", ".a.json.x-0.new"]
    for name in others { folder.add(name, "kept") }
    // A locked file is being written, though the process in its name has ended.
    let locked = folder.add(".b.json.\(gone)-0.new", "kept")
    let lock = open(locked, O_RDONLY)
    flock(lock, LOCK_EX)
    try AtomicFile.write(Array("new".utf8), to: folder.path("c.json"))
    let left = folder.unfinished
    #expect(left == (others + [".b.json.\(gone)-0.new"]).sorted())
    close(lock)
    try AtomicFile.write(Array("new".utf8), to: folder.path("c.json"))
    #expect(folder.unfinished.count == others.count)
  }
}
