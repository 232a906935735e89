import StreamCommands
import Testing

/// The program where the system gives it little.
@Suite struct SurroundingsTests {
  #if os(Linux)
  @Test(
    "What cannot be written is an error",
    arguments: ["--help", "--version", "help run", "--generate-completion-script bash", "operators"])
  func fullDisk(_ arguments: String) {
    let said = Subprocess.shell("streamrun \(arguments) > /dev/full; echo $?", in: "/")
    #expect(said == "error S506: '<stdout>' cannot be written: the disk is full\n2\n")
  }
  #endif

  @Test("A process that cannot read its arguments says so, which it does where it may open no files (ulimit -n 3)")
  func noArguments() {
    // NB: not by ulimit: the program as it is built for tests needs files for its libraries before it runs.
    #expect(StreamrunTool.main([]) == 2)
  }

  @Test("A reader that wants no more is no error")
  func closedPipe() {
    let said = Subprocess.shell("(streamrun --help; echo $? >&2) | true", in: "/")
    #expect(said == "0\n")
  }
}
