import Foundation
import Testing

@testable import StreamFiles

/// Files are opened below a directory, and nowhere else.
@Suite struct FileDescriptorTests {
  @Test("A link that replaces a directory or a file after the check is not followed")
  func races() throws {
    let place = TestFolder()
    for name in ["in", "out"] { place.addFolder(name) }
    place.add("out/secret", "secret")
    place.add("in/row.ndjson", "5\n")
    symlink("../out/secret", place.path("in/link"))
    symlink("../out", place.path("in/way"))
    symlink("row.ndjson", place.path("in/inner"))
    mkfifo(place.path("in/fifo"), 0o600)
    let folder = try Path.real(place.path)
    for path in ["in/link", "in/way/secret", "in/inner", "in/../out/secret"] {
      #expect(throws: SystemError.self) { try FileDescriptor.openRegular(path, below: folder) }
    }
    let file = try FileDescriptor.openRegular("in/row.ndjson", below: folder)
    #expect(try file.read(atMost: 10) == Array("5\n".utf8))
    file.close()
    // Nor does it wait for a pipe that has replaced a file.
    let pipe = try FileDescriptor.openRegular("in/fifo", below: folder)
    #expect(try pipe.status().kind == .stream)
    pipe.close()
  }
}
