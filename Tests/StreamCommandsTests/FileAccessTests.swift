import StreamCore
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Stream files read what they are granted, and nothing else.
@Suite struct FileAccessTests {
  /// A folder with a stream file `in/s.json`, and beside the folder `in` a file with a secret.
  private final class Place {
    let folder = Fixture.Folder()

    init(_ source: String) {
      folder.addFolder("in")
      folder.addFolder("out")
      add("out/secret", "root:*:20228:0\n{\"secret\": 1}\n")
      add("out/good.json", #"{"source": {"just": {"value": "out"}}}"#)
      add("out/row.ndjson", "7\n")
      add("in/row.ndjson", "5\n")
      add("in/good.json", #"{"source": {"just": {"value": "in"}}}"#)
      symlink("../out/secret", folder.path("in/link"))
      symlink("../out", folder.path("in/way"))
      symlink("row.ndjson", folder.path("in/inner"))
      symlink(folder.path("in/row.ndjson"), folder.path("in/absolute"))
      mkfifo(folder.path("in/fifo"), 0o600)
      set(source)
    }

    func add(_ name: String, _ text: String) { Fixture.write(text, to: folder.path(name)) }

    func set(_ source: String) { add("in/s.json", #"{"source": \#(source)}"#) }

    func run(_ arguments: [String], input: String = "") -> Outcome {
      Subprocess.run(arguments, input: input, in: folder.path)
    }
  }

  private static func file(_ path: String, format: String = "ndjson") -> String {
    #"{"file": {"path": "\#(path)", "format": "\#(format)"}}"#
  }

  private static func stream(_ path: String) -> String { #"{"stream": {"file": "\#(path)"}}"# }

  /// Every command that reads the files which a stream file names.
  private static let commands: [[String]] = [
    ["run", "in/s.json"], ["validate", "in/s.json"], ["validate", "in"], ["test", "in/s.json"], ["show", "in/s.json"],
    ["show", "in/s.json", "--graph"], ["explain", "in/s.json"], ["bench", "in/s.json", "--values", "2"],
    ["edit", "in/s.json", "--add-operator", "{\"count\": {}}", "--dry-run"],
    ["diff", "--behavior", "in/s.json", "in/good.json"],
  ]

  @Test(
    "A file outside is refused by every command, which quotes nothing of it",
    arguments: [
      "../out/secret", "/etc/passwd", "link", "way/secret", "/proc/self/environ", "/dev/stdin", "way/../../etc/passwd",
      "../out/nothing", "/nowhere/at/all",
    ])
  func outside(_ path: String) {
    let place = Place(Self.file(path))
    for source in [Self.file(path), Self.file(path, format: "csv"), Self.stream(path)] {
      place.set(source)
      for command in path == "link" ? Self.commands : Array(Self.commands.prefix(2)) {
        let outcome = place.run(command, input: "9\n")
        #expect(outcome.code == 2, "\(command) \(source): \(outcome)")
        #expect(outcome.errors.contains("error S508: "), "\(command) \(source): \(outcome)")
        #expect(outcome.errors.contains("\(place.folder.path("in"))'"))
        #expect(outcome.errors.contains("--allow-read"))
        for text in [outcome.output, outcome.errors] {
          #expect(!text.contains("root:") && !text.contains("secret\":") && !text.contains("PATH="))
        }
      }
    }
  }

  @Test(
    "A file below the folder is read, over links too", arguments: ["row.ndjson", "inner", "absolute", "../in/inner"])
  func inside(_ path: String) {
    let place = Place(Self.file(path))
    #expect(place.run(["in/s.json"]) == Outcome(output: "5\n", errors: "", code: 0))
    place.set(Self.stream("../in/good.json"))
    #expect(place.run(["in/s.json"]) == Outcome(output: "\"in\"\n", errors: "", code: 0))
  }

  @Test("A granted folder or file is read")
  func granted() {
    let place = Place(Self.file("../out/row.ndjson"))
    for path in ["out", "in/way", "out/", ".", place.folder.path("out"), "out/row.ndjson", "in/way/row.ndjson"] {
      #expect(place.run(["in/s.json", "--allow-read", path]) == Outcome(output: "7\n", errors: "", code: 0), "\(path)")
    }
    #expect(place.run(["in/s.json", "--allow-read", "in", "--allow-read", "out"]).output == "7\n")
    #expect(place.run(["in/s.json", "--allow-read", "out/secret"]).code == 2)
    #expect(place.run(["in/s.json", "--allow-read", "ou"]).code == 2)
    place.set(Self.stream("../out/good.json"))
    for command in Self.commands { #expect(place.run(command + ["--allow-read", "out"]).code < 2, "\(command)") }
    // Files and directories among the arguments are granted.
    #expect(place.run(["validate", "in/s.json", "out/good.json"]).code == 0)
    #expect(place.run(["bench", "in/s.json", "out/good.json", "--values", "2"]).code == 0)
    #expect(place.run(["validate", "."]).errors.contains("all valid"))
  }

  @Test("Git's hashes and modes do not grant files of the same names")
  func gitArguments() {
    let place = Place(Self.stream("../out/good.json"))
    place.add("in/new.json", #"{"source": \#(Self.stream("../out/good.json")), "operators": [{"count": {}}]}"#)
    let shown = "cd in && streamrun diff s.json s.json abcdef 100644 new.json 123456 100644"
    let difference = Subprocess.shell(shown, in: place.folder.path)
    #expect(difference.contains("added    operator 1 (count)"), "\(difference)")
    // The types of the values are shown if the file that both versions name can be read.
    #expect(!difference.contains("the stream's values"))
    symlink("/", place.folder.path("in/100644"))
    #expect(Subprocess.shell(shown, in: place.folder.path) == difference)
    #expect(Subprocess.shell("\(shown) --allow-read ../out", in: place.folder.path).contains("the stream's values"))
  }

  @Test("A working directory that has been deleted grants nothing")
  func deletedDirectory() {
    let folder = Fixture.Folder()
    for path in ["/etc/passwd", "row.ndjson", "../row.ndjson", "/proc/self/environ"] {
      for source in [Self.file(path), Self.stream(path)] {
        for command in ["validate -", "run -", "hash --behavior -", "explain /dev/stdin"] {
          let text = Subprocess.shell(
            """
            mkdir -p gone && cd gone && rmdir ../gone
            echo '{"source": \(source)}' | streamrun \(command) 2>&1; echo "code $?"
            """, in: folder.path)
          if command.hasPrefix("hash") {
            #expect(text.hasPrefix("sha256:"))
          } else {
            #expect(
              text.contains("error S508: access to '") && text.contains("\(path)' is denied"), "\(command): \(text)")
            #expect(text.contains("outside every granted directory"), "\(command): \(text)")
            #expect(text.hasSuffix("code 2\n"))
          }
          #expect(!text.contains("root:"))
        }
      }
    }
    // Standard input itself can still be read, and files can be granted.
    let granted = Subprocess.shell(
      """
      echo 7 > row.ndjson; mkdir gone && cd gone && rmdir ../gone
      echo '{"source": {"just": {"value": 1}}}' | streamrun -
      echo '{"source": \(Self.file("\(folder.path)/row.ndjson"))}' | streamrun - --allow-read '\(folder.path)'
      """, in: folder.path)
    #expect(granted == "1\n7\n")
  }

  @Test("Names that begin with a combining character are distinct")
  func combiningCharacters() throws {
    let accent = "\u{301}"
    let place = Place(Self.file("\(accent)x.ndjson"))
    place.add("in/\(accent)x.ndjson", "8\n")
    #expect(place.run(["in/s.json"]) == Outcome(output: "8\n", errors: "", code: 0))
    place.add("in/x.ndjson", "9\n")
    #expect(place.run(["in/s.json"]).output == "8\n")
    place.add("in/\(accent)good.json", #"{"source": {"just": {"value": "accent"}}}"#)
    place.set(Self.stream("\(accent)good.json"))
    #expect(place.run(["in/s.json"]).output == "\"accent\"\n")
    #expect(place.run(["validate", "in"]).errors == "3 files, all valid\n")
    // An absolute path stays absolute.
    #expect(Path.join("folder", "/\(accent)x") == "/\(accent)x")
    #expect(Path.directory(of: "a/\(accent)b/c") == "a/\(accent)b")
    #expect(Path.names(in: "a/\(accent)b//c") == ["a", "\(accent)b", "c"])
    // A link in front of such a name is not followed.
    place.add("out/\(accent)row.ndjson", "7\n")
    let folder = try Path.real(place.folder.path)
    #expect(throws: SystemError.isReplaced) {
      try FileDescriptor.openRegular("in/way/\(accent)row.ndjson", below: folder)
    }
    let directories = Subprocess.shell("streamrun diff in out; echo $?", in: place.folder.path)
    #expect(directories.contains("removed  file \(accent)good.json\n"), "\(directories)")
  }

  @Test("A file may be missing, but is not looked for outside the granted directories")
  func missing() throws {
    let folder = Fixture.Folder()
    let path = try Path.real(folder.path)
    #expect(Path.expected(folder.path("a/b.json")) == "\(path)/a/b.json")
    #expect(Path.expected(folder.path("a/../b.json")) == nil)
    #expect(Path.expected("/") == "/")
    let loader = FileLoader()
    loader.allowFiles(beside: "\(path)/new/s.json")
    loader.allowFiles(beside: "untitled:Untitled-1")
    #expect(throws: Never.self) { try loader.check(named: "\(path)/new/row.ndjson", calling: "row.ndjson") }
    for outside in ["\(path)/row.ndjson", "\(path)/new/../row.ndjson", "row.ndjson"] {
      #expect(throws: Diagnostic.self) { try loader.check(named: outside, calling: "row.ndjson") }
    }
  }

  @Test("A file with conflicts is resolved with the files that it is granted")
  func resolving() {
    let place = Place(Self.stream("../out/good.json"))
    func mark(_ file: String) {
      place.add(
        "in/s.json",
        #"""
        {"source": \#(Self.stream(file)), "name": "a",
        "x-conflict": [{"at": "/name", "message": "name", "base": "c", "ours": "a", "theirs": "b"}]}
        """#)
    }
    mark("../out/good.json")
    let refused = place.run(["resolve", "in/s.json", "--favor", "theirs"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("S508") && refused.errors.contains("/out/good.json' allows it"))
    mark("../out/good.json")
    let granted = place.run(["resolve", "in/s.json", "--favor", "theirs", "--allow-read", "out"])
    #expect(granted == Outcome(output: "", errors: "1 conflict resolved, 0 left\n", code: 0))
    mark("good.json")
    #expect(place.run(["resolve", "in/s.json", "--no-files"]).errors.contains("--no-files forbids"))
  }

  @Test("No file is read where none may be")
  func noFiles() {
    let place = Place(Self.stream("good.json"))
    for command in Self.commands {
      let outcome = place.run(command + ["--no-files"])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("--no-files forbids"), "\(command): \(outcome)")
    }
    let both = place.run(["validate", "in/s.json", "--no-files", "--allow-read", "in"])
    #expect(both.errors.contains("--no-files and --allow-read cannot be combined"))
    place.set(#"{"just": {"value": 1}}"#)
    #expect(place.run(["validate", "in", "--no-files"]).code == 0)
  }

  @Test("The folder of standard input is the working directory")
  func standardInput() {
    let place = Place(Self.file("row.ndjson"))
    func text(_ path: String) -> String { #"{"source": \#(Self.file(path))}"# }
    #expect(place.run(["run", "-"], input: text("in/row.ndjson")).output == "5\n")
    let outside = Subprocess.run(["run", "-"], input: text("../out/row.ndjson"), in: place.folder.path("in"))
    #expect(outside.code == 2 && outside.errors.contains("S508"))
  }

  @Test("A pipe or a device behind a path is refused and not waited for, unless it is granted by name")
  func pipes() {
    let place = Place(Self.file("fifo"))
    for source in [Self.file("fifo"), Self.stream("fifo")] {
      place.set(source)
      for command in Self.commands {
        let outcome = place.run(command)
        if source.contains("stream") || ["run", "bench"].contains(command[0]) {
          #expect(outcome.code == 2, "\(command): \(outcome)")
          #expect(outcome.errors.contains("is a pipe, a socket or a device"), "\(command): \(outcome)")
          continue
        }
        // A file of values is opened when the stream runs. A picture and a comparison show that the stream fails.
        #expect(outcome.code == (command[0] == "diff" ? 1 : 0), "\(command): \(outcome)")
        #expect(!outcome.errors.contains("error"), "\(command): \(outcome)")
        if command == ["show", "in/s.json"] { #expect(outcome.output.contains("─#"), "\(outcome)") }
        if command[0] == "diff" { #expect(outcome.output.contains("  old  #\n"), "\(outcome)") }
      }
    }
    place.set(Self.file("/dev/stdin"))
    let granted = place.run(["in/s.json", "--allow-read", "/dev/stdin"], input: "9\n")
    #expect(granted == Outcome(output: "9\n", errors: "", code: 0))
    // A pipe in a folder is not a stream file, since no argument names it.
    mkfifo(place.folder.path("in/found.json"), 0o600)
    let found = place.run(["validate", "in"])
    #expect(found.code == 2)
    #expect(found.errors.contains("'in/found.json' is a pipe, a socket or a device"))
  }

  @Test(
    "A link among the files of a folder does not lead out of it", arguments: ["validate", "format", "hash", "test"])
  func links(_ command: String) {
    let place = Place(#"{"just": {"value": 1}}"#)
    symlink("../out/secret", place.folder.path("in/found.json"))
    let outcome = place.run([command, "in"])
    #expect(outcome.code == 2)
    #expect((outcome.errors + outcome.output).contains("S508"))
    #expect(!(outcome.errors + outcome.output).contains("root:"))
    #expect(place.run([command, "in/found.json"]).code == 2)
  }

  @Test("A path with a NUL character is refused at its place")
  func zeros() {
    let place = Place(Self.file(#"row.ndjson\u0000x"#))
    for (source, column) in [(Self.file(#"row.ndjson\u0000x"#), 30), (Self.stream(#"good.json\u0000x"#), 32)] {
      place.set(source)
      let outcome = place.run(["validate", "in/s.json"])
      #expect(outcome.code == 2)
      #expect(outcome.errors.hasPrefix("in/s.json:1:\(column): error S104: "), "\(outcome)")
    }
  }

  // MARK: Files that the user names

  @Test("A stream file from a pipe is in the working directory")
  func throughPipes() {
    let place = Place(Self.file("row.ndjson"))
    let commands = [
      (#"echo '{"source": {"just": {"value": 1}}}' | streamrun /dev/stdin"#, "1\n"),
      (#"echo '{"source": {"file": {"path": "in/row.ndjson", "format": "ndjson"}}}' | streamrun /dev/stdin"#, "5\n"),
      (#"echo '{"source": {"just": {"value": 1}}}' | streamrun /dev/fd/0"#, "1\n"),
      (#"echo '{"source": {"just": {"value": 1}}}' | streamrun validate /dev/stdin"#, "1 file, all valid\n"),
      ("cat in/good.json | streamrun diff /dev/stdin in/good.json; echo $?", "0\n"),
      ("mkfifo p; cat in/good.json > p & streamrun p", "\"in\"\n"),
    ]
    for (command, output) in commands { #expect(Subprocess.shell(command, in: place.folder.path) == output) }
    let two = "streamrun diff <(cat in/good.json) <(cat out/good.json)"
    let difference = Subprocess.shell("bash -c '\(Subprocess.path) \(two.dropFirst(10))'", in: place.folder.path)
    #expect(difference.contains("- in\n") && difference.contains("+ out\n"), "\(difference)")
  }

  @Test("The name that was given is not suggested in its place")
  func suggestion() {
    let folder = Fixture.Folder()
    symlink("nowhere.json", folder.path("s.json"))
    folder.add("t.json", "")
    let outcome = Subprocess.run(["s.json"], in: folder.path)
    #expect(outcome.errors.hasPrefix("error S502: there is no file 's.json'\n"))
    #expect(!outcome.errors.contains("did you mean 's.json'"))
  }

  @Test("Closed standard files are not confused with other files")
  func closedFiles() {
    let folder = Fixture.Folder()
    folder.add("pass.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    folder.add("one.json", #"{"source": {"just": {"value": 1}}}"#)
    #expect(Subprocess.shell("streamrun pass.json <&- 2>&1; echo $?", in: folder.path).contains("error S303"))
    #expect(Subprocess.shell("streamrun one.json <&-; echo $?", in: folder.path) == "1\n0\n")
    #expect(Subprocess.shell("streamrun - <&- 2>&1; echo $?", in: folder.path).hasSuffix("\n2\n"))
    #expect(Subprocess.shell("streamrun lsp <&- 2>&1; echo $?", in: folder.path).hasSuffix("\n2\n"))
    #expect(Subprocess.shell("streamrun one.json >&- 2>/dev/null; echo $?", in: folder.path) == "2\n")
    #expect(Subprocess.shell("streamrun one.json 2>&-; streamrun none.json 2>&-; echo $?", in: folder.path) == "1\n2\n")
  }
}
