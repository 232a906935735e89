import StreamFiles
import Testing

@testable import StreamDriving

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Recordings without events, which a run that keeps its state begins again if it has not saved one.
@Suite struct EmptyRecordingTests {
  @Test(
    "A header, a part of one, and the end of a run that could not save its first state, count as no recording",
    arguments: [
      ("", true), ("{\"recor", true), ("{\"recording\":1}", true), ("{\"recording\":1}\n", true),
      ("{\"recording\":1}\n{\"end\":0,\"ev", true),
      ("{\"recording\":1}\n{\"end\":0,\"events\":0,\"values\":0,\"because\":\"refused\"}\n", true),
      ("{\"recording\":1}\n{\"end\":0,\"events\":0,\"values\":0,\"because\":\"finished\"}\n", false),
      ("{\"recording\":1}\n{\"at\":0,\"input\":\"a\",\"value\":1}\n", false), ("text", false),
    ])
  func isAll(_ text: String, isEmpty: Bool) throws {
    let path = "/tmp/streamrun-empty-recording-\(getpid())"
    defer { unlink(path) }
    unlink(path)
    let file = try FileDescriptor.appendReadable(path)
    defer { file.close() }
    try file.write(text)
    #expect(RecordingHeader.isAll(of: file, length: text.utf8.count) == isEmpty)
  }
}
