import CLibrary
import StreamCore
import TestSupport
import Testing

@testable import StreamConsole
@testable import StreamFiles

/// The reports of tests, and their way from one process to another.
@Suite struct TestReportTests {
  @Test("A report is the same after it has been handed from one process to the other", arguments: [false, true])
  func coding(_ measures: Bool) throws {
    let folder = Fixture.package + "/Tests/StreamCommandsTests"
    let names = ["Broken", "Failing"].flatMap { part in
      Fixture.names(in: "\(folder)/\(part)", ending: ".json").map { "\(folder)/\(part)/\($0).json" }
    }
    #expect(!names.isEmpty)
    for name in names {
      let report = TestWork(filter: nil, updates: !measures, measures: measures).report(of: name)
      let text = JSONWriter.compact(report.coded)
      let message = try JSONDocument(reading: text, file: "message").value
      let read = try #require(TestReport.File(coded: message, name: report.name))
      let again = read.coded
      #expect(again == report.coded)
      #expect(read.problems.all == report.problems.all)
      #expect(read.entries.map(\.location) == report.entries.map(\.location))
      #expect(read.newText == report.newText)
      #expect(read.coverage == report.coverage)
    }
  }

  @Test("A report does not hold the text of the file, which can be read again")
  func largeFile() {
    let folder = Fixture.Folder()
    let path = folder.add("large.json", "[1" + String(repeating: "\n", count: 1_000_000))
    let report = TestWork().report(of: path)
    #expect(report.problems.all.map(\.code) == [.unexpectedEnd])
    #expect(report.sourceFiles == [path])
    #expect(JSONWriter.compact(report.coded).utf8.count < 2_000)
  }

  @Test("A message that is not JSON is an error, not the end")
  func unreadableMessage() throws {
    let pipe = Pipe()
    pipe.write("{\"a\":1}\nno JSON\n")
    close(pipe.writer)
    defer { close(pipe.reader) }
    var lines = MessageLines(FileDescriptor(number: pipe.reader))
    #expect(try lines.next() == ["a": 1])
    #expect(throws: SystemError.unreadableMessage) { try lines.next() }
    #expect(try lines.next() == nil)
  }

  @Test("A report may be longer than a stream file")
  func longMessage() throws {
    let pipe = Pipe()
    let text = String(repeating: "a", count: JSONLimits().bytes + 1)
    let thread = SystemThread {
      pipe.write("\"\(text)\"\n")
      close(pipe.writer)
    }
    defer { close(pipe.reader) }
    var lines = MessageLines(FileDescriptor(number: pipe.reader))
    let value = try lines.next()
    #expect(value?.text?.utf8.count == text.utf8.count)
    thread?.join()
  }
}
