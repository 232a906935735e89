import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The program where the system gives it little.
@Suite struct SurroundingsTests {
  #if os(Linux)
  @Test(
    "A write error is an error",
    arguments: ["--help", "--version", "help run", "--generate-completion-script bash", "operators"])
  func fullDisk(_ arguments: String) {
    let said = Subprocess.shell("streamrun \(arguments) > /dev/full; echo $?", in: "/")
    #expect(said == "error S506: '<stdout>' cannot be written: the disk is full\n2\n")
  }
  #endif

  #if os(Linux)
  /// Whether the program needs no libraries, so that it runs where there is nothing else.
  private static let isStatic = !Subprocess.shell("ldd '\(Subprocess.path)'", in: "/").contains("=>")

  @Test(
    "The program runs in a folder that contains nothing else, not even /proc",
    .enabled(if: isStatic && getuid() == 0, "the program needs libraries, or chroot needs another user"))
  func chroot() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"stream": [{"value": 1}], "tests": [{"name": "a", "expect": {"values": [1]}}]}"#)
    let said = Subprocess.shell(
      """
      cp '\(Subprocess.path)' streamrun
      for arguments in s.json 'validate s.json' 'test s.json' 'edit s.json --append-item 2' s.json --version; do
        PATH="$PATH:/usr/sbin" chroot . /streamrun $arguments 2>&1; echo $?
      done
      """, in: folder.path)
    #expect(said == "1\n0\n1 file, all valid\n0\n1 passed, 0 failed\n0\n0\n1\n2\n0\n\(Self.version)\n0\n")
  }

  private static let version = Subprocess.run(["--version"]).output.split(separator: "\n").joined()

  @Test(
    "The program reads its arguments where it may open no files", .enabled(if: isStatic, "the program needs libraries"))
  func noFiles() {
    let said = Subprocess.shell("ulimit -n 3; streamrun eval '1 + 2'", in: "/")
    #expect(said == "3\n")
  }
  #endif

  @Test("Arguments are what the shell gives, also empty ones and odd characters")
  func arguments() {
    let text = "ü \n\t'"
    #expect(Subprocess.run(["eval", "a", "--set", "a=\"ü\""]).output == "\"ü\"\n")
    #expect(Subprocess.run(["eval", "size(value)", "--value", "\"\""]).output == "0\n")
    let missing = Subprocess.run(["validate", text])
    #expect(missing.code == 2)
    #expect(missing.errors.contains("there is no file 'ü "), "\(missing.errors)")
    #expect(Subprocess.run([""]).code == 2)
  }

  /// Streams in streams, near the limit of 200 levels.
  private static func nested(_ levels: Int) -> String {
    var text = #"{"source": {"just": {"value": 1}}}"#
    for _ in 0..<levels {
      text = #"{"source": {"just": {"value": 1}}, "operators": [{"append": {"with": [\#(text)]}}]}"#
    }
    return text
  }

  @Test("Every command that walks a stream has a stack that is large enough", arguments: [8192, 512, 256, 128])
  func smallStacks(_ kilobytes: Int) {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.nested(60))
    folder.add("d.json", Self.nested(10))
    folder.add("e.json", Self.nested(10).replacing("1", with: "2"))
    folder.add("t.json", Self.nested(60).replacing("1", with: "2"))
    for command in [
      "run s.json", "validate s.json", "explain s.json", "hash --behavior s.json",
      "format s.json", "canonical s.json", "diff d.json e.json", "show --graph s.json",
      "edit s.json --rename x -o out.json", "merge s.json s.json t.json", "test s.json", "show s.json",
    ] {
      let code = Subprocess.shell("ulimit -s \(kilobytes); streamrun \(command) > out 2>&1; echo $?", in: folder.path)
      let said = Fixture.read(folder.path("out")).suffix(200)
      #expect(code == (command.hasPrefix("diff") ? "1\n" : "0\n"), "\(command): \(said)")
    }
  }

  @Test("A reader that closes the pipe is not an error")
  func closedPipe() {
    let said = Subprocess.shell("(streamrun --help; echo $? >&2) | true", in: "/")
    #expect(said == "0\n")
  }
}
