import StreamCore
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamConsole
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Several programs change one file: no change is lost without a word.
@Suite struct ConcurrentEditTests {
  private let folder = Fixture.Folder()
  private var file: String { folder.path("f.json") }

  @Test("Five processes that each edit a file forty times at once lose none of the edits")
  func parallelEdits() throws {
    folder.add("f.json", "{\n  \"stream\": []\n}\n")
    let loop =
      "for i in $(seq 0 39); do '\(Subprocess.path)' edit f.json --append-item $(($0 * 40 + i)) || exit $?; done"
    let children = (0..<5).map { number in
      Child(
        program: "/bin/sh", ["-c", loop, String(number)], input: Subprocess.openRead("/dev/null"),
        output: Subprocess.openWrite(folder.path("output-\(number)")), errors: nil, in: folder.path)
    }
    let codes = children.map { $0.wait() }
    #expect(codes == [0, 0, 0, 0, 0])
    let document = try JSONDocument(reading: Array(Fixture.read(file).utf8), file: "f.json")
    guard case .map(let model) = document.value, case .list(let items)? = model["stream"] else {
      Issue.record("no list of items: \(document.value)")
      return
    }
    let values: [Int64] = items.compactMap { item in
      if case .map(let members) = item, case .int(let number)? = members["value"] { number } else { nil }
    }
    #expect(values.sorted() == (0..<200).map(Int64.init))
    #expect(Fixture.names(in: folder.path, ending: ".new").isEmpty)
  }

  @Test("No edit waits for a command that waits for a pipe", arguments: ["patch", "merge base", "merge theirs"])
  func pipes(_ command: String) throws {
    folder.add("f.json", #"{"stream": []}"#)
    folder.add("g.json", #"{"stream": []}"#)
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    let arguments =
      switch command {
      case "patch": ["patch", "f.json", "pipe", "--in-place"]
      case "merge base": ["merge", "pipe", "f.json", "g.json", "--in-place"]
      default: ["merge", "g.json", "f.json", "pipe", "--in-place"]
      }
    let child = Child(
      arguments, input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite(folder.path("output")),
      errors: nil, in: folder.path)
    // Opening a pipe for writing takes until the command has opened it for reading.
    let writer = open(pipe, O_WRONLY | O_CLOEXEC)
    let descriptor = try FileDescriptor.open(file)
    #expect(flock(descriptor.number, LOCK_EX | LOCK_NB) == 0)
    descriptor.close()
    try FileDescriptor(number: writer).write(command == "patch" ? #"{"name": "N"}"# : #"{"name": "N", "stream": []}"#)
    close(writer)
    #expect(child.wait() == 0, "\(Fixture.read(folder.path("output")))")
    let isNamed = Fixture.read(file).contains(#""name": "N""#)
    #expect(isNamed == (command != "merge base"))
  }

  @Test("Other names of a file keep the old content, which a warning reports")
  func hardLinks() {
    folder.add("f.json", #"{"stream": []}"#)
    link(file, folder.path("other.json"))
    let outcome = Subprocess.run(["edit", "f.json", "--append-item", "1"], in: folder.path)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.hasPrefix("warning S506: 'f.json' had 2 names (hard links); the others keep the old content\n"))
    #expect(Fixture.read(file) == #"{"stream": [{"value": 1}]}"#)
    #expect(Fixture.read(folder.path("other.json")) == #"{"stream": []}"#)
  }

  @Test("Extended attributes stay with the file")
  func attributes() throws {
    folder.add("f.json", #"{"stream": []}"#)
    let old = try FileDescriptor.open(file)
    defer { old.close() }
    ExtendedAttributes.set("user.streamrun.test", to: Array("kept".utf8), of: old)
    // A file system without attributes has nothing to keep.
    let before = ExtendedAttributes.value(of: "user.streamrun.test", of: old)
    #expect(Subprocess.run(["edit", "f.json", "--append-item", "1"], in: folder.path).code == 0)
    let new = try FileDescriptor.open(file)
    defer { new.close() }
    #expect(FileStamp(old) != FileStamp(new))
    #expect(ExtendedAttributes.value(of: "user.streamrun.test", of: new) == before)
  }

  @Test("New expectations are not written over a file that was changed while its tests ran")
  func testUpdate() throws {
    let text = #"{"stream": [{"value": 1}], "tests": [{"name": "a", "expect": {"values": [2]}}]}"#
    folder.add("f.json", text)
    var report = TestWork(filter: nil, updates: true, measures: false).report(of: file)
    #expect(report.newText != nil)
    #expect(report.stamp == FileStamp(file))
    folder.add("f.json", text + "\n")
    // NB: the lock ends with the block: the program below waits for it.
    let error: Diagnostics?
    do {
      let lock = try #require(try FileLock.take(editing: file))
      error = #expect(throws: Diagnostics.self) {
        try ResultFile.replace(
          file, with: report.newText ?? [], Console(color: .never), holding: lock, since: report.stamp)
      }
    }
    #expect(error?.all.first?.message.hasSuffix("was changed by another program; nothing was written") == true)
    #expect(Fixture.read(file) == text + "\n")
    // Named twice, it is written once.
    folder.add("f.json", text)
    report = TestWork(filter: nil, updates: true, measures: false).report(of: file)
    let outcome = Subprocess.run(["test", "f.json", "./f.json", "--update"], in: folder.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(Fixture.read(file) == text.replacing("[2]", with: "[1]"))
  }
}
