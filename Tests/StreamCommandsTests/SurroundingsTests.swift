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

    @Test("Without a file to spare the program says so")
    func noFiles() {
      let said = Subprocess.shell("(ulimit -n 3; streamrun --version; echo $?)", in: "/")
      #expect(said.hasPrefix("error S505: '/proc/self/cmdline' cannot be read: too many files are open\n"))
      #expect(said.hasSuffix("\n2\n"))
    }
  #endif

  @Test("A reader that wants no more is no error")
  func closedPipe() {
    let said = Subprocess.shell("(streamrun --help; echo $? >&2) | true", in: "/")
    #expect(said == "0\n")
  }
}
