import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `run --watch`: a stream that continues with another version when its file changes, however it is written.
@Suite(.serialized) struct WatchingTests {
  private let folder = Fixture.Folder()

  /// A process that watches, and what it has said.
  private final class Watched {
    let child: Child
    let output = Pipe()
    let errors = Pipe()
    private var read: [Int32: String] = [:]

    init(_ arguments: [String], input: Int32 = Subprocess.openRead("/dev/null"), in folder: Fixture.Folder) {
      child = Child(arguments, input: input, output: output.writer, errors: errors.writer, in: folder.path)
    }

    deinit {
      close(output.reader)
      close(errors.reader)
    }

    /// Waits for a line, and returns the output up to and including it.
    func output(through line: String) -> String { text(of: output, through: line) }
    func errors(through line: String) -> String { text(of: errors, through: line) }

    private func text(of pipe: Pipe, through line: String) -> String {
      while true {
        let text = read[pipe.reader, default: ""]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if let place = lines.dropLast().firstIndex(where: { $0.contains(line) }) {
          let found = lines[...place].joined(separator: "\n") + "\n"
          lines.removeFirst(place + 1)
          read[pipe.reader] = lines.joined(separator: "\n")
          return found
        }
        let more = pipe.read()
        if more.isEmpty {
          Issue.record("'\(line)' has not come; found \(text)")
          return text
        }
        read[pipe.reader] = text + more
      }
    }

    func interrupt() -> Int32 {
      child.send(SIGINT)
      return child.wait()
    }
  }

  private static let total = #"{"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}}"#

  private static func ticks(_ operators: String) -> String {
    #"{"source": {"timer": {"every": 0.02}}, "operators": [\#(operators)]}"# + "\n"
  }

  private static func fed(_ operators: String) -> String {
    #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(operators)]}"# + "\n"
  }

  /// As an editor that renames a file over the old one does.
  private func replace(_ name: String, with text: String) {
    folder.add(name + ".new", text)
    rename(folder.path(name + ".new"), folder.path(name))
  }

  @Test("A timer and a running total continue, however the file is written")
  func timer() {
    folder.add("s.json", Self.ticks(Self.total))
    let watched = Watched(["--watch", "s.json"], in: folder)
    _ = watched.output(through: "3")
    replace("s.json", with: Self.ticks("\(Self.total), {\"map\": {\"expression\": \"[value]\"}}"))
    #expect(watched.errors(through: "swapped") == "s.json: swapped; kept #total and 1 other; 1 operator is new\n")
    let last = watched.output(through: "[").split(separator: "\n")
    let numbers = last.compactMap { Int($0.filter(\.isNumber)) }
    // The triangular numbers, without a gap and without a second beginning.
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    // Written in place: it may be read half written, which is then said.
    folder.add("s.json", Self.ticks("\(Self.total), {\"map\": {\"expression\": \"{'n': value}\"}}"))
    #expect(watched.errors(through: "swapped").hasSuffix("s.json: swapped; kept #total and 1 other\n"))
    _ = watched.output(through: "n")
    #expect(watched.interrupt() == 130)
  }

  @Test("If the new file is invalid, the old version continues, which is reported; the same content is not a change")
  func wrong() {
    let input = Pipe()
    folder.add("s.json", Self.fed(Self.total))
    let watched = Watched(["run", "--watch", "s.json"], input: input.reader, in: folder)
    input.write("1\n")
    _ = watched.output(through: "1")
    replace("s.json", with: Self.fed(#"{"mpa": {"expression": "value"}}"#))
    let said = watched.errors(through: "keeps running")
    #expect(
      said == """
        s.json:1:74: error S105: there is no operator 'mpa'
         1 | {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"mpa": {"expression": "valu…
           |                                                                          ^^^^^
           = at /operators/0/mpa
           = help: did you mean 'map'?
        s.json: the stream keeps running unchanged

        """)
    input.write("2\n")
    _ = watched.output(through: "3")
    replace("s.json", with: Self.fed(Self.total))
    #expect(watched.errors(through: "s.json") == "s.json: the file matches the running stream again\n")
    unlink(folder.path("s.json"))
    #expect(watched.errors(through: "s.json") == "s.json: the file is gone; the stream keeps running unchanged\n")
    input.write("3\n")
    _ = watched.output(through: "6")
    replace("s.json", with: Self.fed(Self.total))
    #expect(watched.errors(through: "s.json") == "s.json: the file is back, unchanged\n")
    replace("s.json", with: Self.fed(Self.total) + "\n\n")
    #expect(watched.errors(through: "s.json") == "s.json: only the spelling changed\n")
    replace("s.json", with: Self.fed("\(Self.total), {\"map\": {\"expression\": \"-value\"}}"))
    #expect(watched.errors(through: "s.json") == "s.json: swapped; kept #total; 1 operator is new\n")
    input.write("4\n")
    _ = watched.output(through: "-10")
    // The stream ends with its input. It starts again with another file.
    close(input.writer)
    #expect(
      watched.errors(through: "ended") == "s.json: the stream has ended; it restarts when the file changes\n")
    replace("s.json", with: #"{"stream": [{"value": "new"}]}"#)
    #expect(watched.errors(through: "restarting") == "s.json: changed; restarting\n")
    _ = watched.output(through: "new")
    #expect(watched.interrupt() == 130)
  }

  @Test("Files that the file names are watched, also while they are missing")
  func named() {
    folder.add("s.json", #"{"source": {"stream": {"file": "part.json"}}, "operators": [\#(Self.total)]}"#)
    folder.add("part.json", Self.ticks(#"{"id": "n", "scan": {"initialValue": 0, "expression": "1"}}"#))
    let watched = Watched(["--watch", "s.json"], in: folder)
    _ = watched.output(through: "3")
    replace("part.json", with: Self.ticks(#"{"id": "n", "scan": {"initialValue": 0, "expression": "1000"}}"#))
    #expect(watched.errors(through: "swapped") == "s.json: swapped; kept #total, part.json:#n and 1 other\n")
    _ = watched.output(through: "000")
    replace("s.json", with: #"{"source": {"stream": {"file": "other.json"}}, "operators": [\#(Self.total)]}"#)
    #expect(watched.errors(through: "keeps running").hasPrefix("s.json:1:32: error S502"))
    replace("other.json", with: #"{"stream": [{"value": 0.5}]}"#)
    #expect(
      watched.errors(through: "swapped").hasPrefix(
        "s.json: swapped; kept #total; part.json:#n is lost: it was removed;"))
    _ = watched.output(through: ".5")
    #expect(watched.errors(through: "ended") == "s.json: the stream has ended; it restarts when the file changes\n")
    #expect(watched.interrupt() == 130)
  }

  @Test("An endless stream is swapped between two values, and writes exactly its number of values")
  func busy() {
    let endless = #"{"source": {"range": {"from": 1, "through": 1000000000000}}, "operators": [OPERATORS]}"#
    let thousands = #"{"filter": {"expression": "value in [1000, 2000, 3000]"}}"#
    folder.add("s.json", endless.replacing("OPERATORS", with: thousands))
    // NB: a program that fills the pipe, which is not read meanwhile, waits there and sees no change.
    let watched = Watched(["--watch", "s.json", "--limit", "1000000"], in: folder)
    _ = watched.output(through: "3000")
    replace(
      "s.json", with: endless.replacing("OPERATORS", with: #"{"filter": {"expression": "false"}}"#))
    #expect(watched.errors(through: "swapped") == "s.json: swapped; kept source (range)\n")
    replace(
      "s.json",
      with: endless.replacing("OPERATORS", with: #"{"map": {"expression": "'end'"}}, {"prefix": {"count": 1}}"#))
    #expect(watched.errors(through: "swapped").hasPrefix("s.json: swapped; kept source (range)"))
    _ = watched.output(through: "end")
    #expect(watched.errors(through: "ended") == "s.json: the stream has ended; it restarts when the file changes\n")
    #expect(watched.interrupt() == 130)
  }

  @Test(
    "So many values end the program, also after a swap", arguments: [[], ["--virtual"], ["--event-time", "value"]])
  func limit(_ arguments: [String]) {
    let input = Pipe()
    folder.add("s.json", Self.fed(Self.total))
    let watched = Watched(["--watch", "s.json", "--limit", "3"] + arguments, input: input.reader, in: folder)
    input.write("1\n2\n")
    _ = watched.output(through: "3")
    replace("s.json", with: Self.fed("\(Self.total), {\"map\": {\"expression\": \"-value\"}}"))
    #expect(watched.errors(through: "swapped") == "s.json: swapped; kept #total; 1 operator is new\n")
    input.write("3\n4\n")
    #expect(watched.output(through: "-6") == "-6\n")
    #expect(watched.child.wait() == 0)
    close(input.writer)
  }

  @Test("The example of the page on swapping is correct")
  func page() throws {
    let blocks = CodeBlock.blocks(of: "Swapping")
    let files = blocks.filter { $0.language == "json" }.map { $0.text + "\n" }
    let shown = try #require(blocks.first { $0.language == "text" }).text
    try #require(files.count == 2)
    let input = Pipe()
    folder.add("total.json", files[0])
    let watched = Watched(["--watch", "total.json"], input: input.reader, in: folder)
    input.write("1\n2\n")
    var seen = watched.output(through: "3")
    replace("total.json", with: files[1].replacing("\"count\": 2", with: "\"count\": \"two\""))
    seen += watched.errors(through: "keeps running")
    input.write("3\n")
    seen += watched.output(through: "6")
    replace("total.json", with: files[1])
    seen += watched.errors(through: "swapped")
    input.write("4\n5\n")
    seen += watched.output(through: "]")
    #expect("$ tail -f amounts.ndjson | streamrun --watch total.json\n" + seen == shown + "\n")
    #expect(watched.interrupt() == 130)
    close(input.writer)
  }

  @Test("Files that feed inputs continue at their position; with the stream they start again")
  func files() {
    folder.add("a.ndjson", "1\n2\n3\n")
    let (input, stream) = (
      Pipe(),
      #"{"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": ["b"]}}LAST]}"#
    )
    folder.add("s.json", stream.replacing("LAST", with: ""))
    let watched = Watched(
      ["--watch", "s.json", "--input", "a=a.ndjson", "--input", "b=-"], input: input.reader, in: folder)
    #expect(watched.output(through: "3") == "1\n2\n3\n")
    replace("s.json", with: stream.replacing("LAST", with: #", {"map": {"expression": "value * 10"}}"#))
    _ = watched.errors(through: "swapped")
    input.write("4\n")
    #expect(watched.output(through: "40") == "40\n")
    replace(
      "s.json",
      with: stream.replacing("LAST", with: "").replacing(#""b": {}"#, with: #""c": {}"#).replacing(
        "[\"b\"]", with: "[\"c\"]")
    )
    #expect(watched.errors(through: "keeps running").contains("there is no input 'b' for --input"))
    replace("s.json", with: stream.replacing("LAST", with: #", {"prefix": {"count": 1}}"#))
    _ = watched.errors(through: "swapped")
    input.write("5\n")
    #expect(watched.output(through: "5") == "5\n")
    _ = watched.errors(through: "ended")
    replace("s.json", with: stream.replacing("LAST", with: #", {"prefix": {"count": 2}}"#))
    _ = watched.errors(through: "restarting")
    #expect(watched.output(through: "2") == "1\n2\n")
    #expect(watched.interrupt() == 130)
    close(input.writer)
  }
}
