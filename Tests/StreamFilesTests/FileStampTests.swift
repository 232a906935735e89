import Foundation
import StreamCore
import Testing

@testable import StreamFiles

/// The stamps of files, which identify them.
@Suite struct FileStampTests {
  private let folder = TestFolder()

  @Test("A file that has the number of one that is gone is another file")
  func numberGivenAgain() throws {
    var identities: Set<FileStamp.Identity> = []
    for _ in 0..<20 {
      folder.add("f", "text")
      identities.insert(try #require(FileStamp(folder.path("f"))).identity)
      unlink(folder.path("f"))
      // Systems give files the time of the last tick of their clock.
      usleep(25_000)
    }
    #expect(identities.count == 20)
  }

  @Test("A path and an open file have the same stamp, which is made again from its numbers, also without the birth")
  func numbers() throws {
    folder.add("f", "text")
    let file = try FileDescriptor.open(folder.path("f"))
    defer { file.close() }
    let stamp = try #require(FileStamp(file))
    #expect(stamp == FileStamp(folder.path("f")))
    #expect(stamp.size == 4)
    #expect(stamp.isRegular)
    #expect(FileStamp(numbers: stamp.numbers) == stamp)
    let former = try #require(FileStamp(numbers: Array(stamp.numbers.prefix(6))))
    #expect(former.size == 4)
    #expect(FileStamp(numbers: Array(stamp.numbers.prefix(5))) == nil)
    #expect(FileStamp(folder.path("none")) == nil)
    #expect(FileStamp(folder.path("."))?.isRegular == false)
  }
}
