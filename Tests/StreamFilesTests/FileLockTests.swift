import Foundation
import StreamCore
import Testing

@testable import StreamFiles

/// A command holds the lock of a file that it replaces.
@Suite struct FileLockTests {
  private let folder = TestFolder()
  private var file: String { folder.path("f.json") }

  @Test("A file that another program has written in the meantime is not changed", arguments: [false, true])
  func changedMeanwhile(isReplaced: Bool) throws {
    folder.add("f.json", "old")
    let lock = try #require(try FileLock.take(editing: file))
    if isReplaced {
      folder.add("g.json", "new")
      rename(folder.path("g.json"), file)
    } else {
      folder.add("f.json", "newer")
    }
    let error = #expect(throws: Diagnostic.self) {
      try AtomicFile.write(Array("mine".utf8), to: file, replacing: lock.stamp)
    }
    #expect(error?.code == .cannotWrite)
    #expect(error?.message == "'\(file)' was changed by another program; nothing was written")
    #expect(folder.read("f.json") == (isReplaced ? "new" : "newer"))
    #expect(folder.unfinished.isEmpty)
  }

  @Test("A file that was removed is not created again")
  func removedMeanwhile() throws {
    folder.add("f.json", "old")
    let lock = try #require(try FileLock.take(editing: file))
    unlink(file)
    #expect(throws: Diagnostic.self) { try AtomicFile.write([], to: file, replacing: lock.stamp) }
    #expect(access(file, F_OK) != 0)
  }

  @Test("The file behind a link is locked; other things than files are not")
  func places() throws {
    folder.add("f.json", "{}")
    symlink("f.json", folder.path("link.json"))
    #expect(try FileLock.take(editing: "-") == nil)
    #expect(try FileLock.take(editing: folder.path) == nil)
    #expect(try FileLock.take(editing: folder.path("new.json")) == nil)
    let lock = try FileLock.take(editing: folder.path("link.json"))
    #expect(lock?.stamp == FileStamp(file))
  }
}
