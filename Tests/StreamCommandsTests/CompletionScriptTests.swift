import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The completion scripts for shells, in `Completions/`. `UPDATE_GOLDEN=1 swift test` writes them again.
@Suite struct CompletionScriptTests {
  private func script(_ shell: String) -> String {
    let outcome = Subprocess.run(["--generate-completion-script", shell])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    return outcome.output
  }

  /// The path of a shell.
  private static func program(_ shell: String) -> String? {
    ["/bin/\(shell)", "/usr/bin/\(shell)", "/usr/local/bin/\(shell)"].first { access($0, X_OK) == 0 }
  }

  @Test("The scripts are those in Completions", arguments: ["bash", "zsh", "fish"])
  func isFresh(_ shell: String) {
    let script = script(shell)
    let path = "\(Fixture.folder(of: #filePath))/Completions/streamrun.\(shell)"
    if BrokenFileTests.updates { Fixture.write(script, to: path) }
    #expect(script == Fixture.read(path))
  }

  @Test("Bash reads its script", .enabled(if: program("bash") != nil, "bash is not installed"))
  func bashReads() throws { try isRead(by: "bash") }

  @Test("Zsh reads its script", .enabled(if: program("zsh") != nil, "zsh is not installed"))
  func zshReads() throws { try isRead(by: "zsh") }

  @Test("Fish reads its script", .enabled(if: program("fish") != nil, "fish is not installed"))
  func fishReads() throws { try isRead(by: "fish") }

  /// All three read a script without running it with -n.
  private func isRead(by shell: String) throws {
    let program = try #require(Self.program(shell))
    let folder = Fixture.Folder()
    folder.add("script", script(shell))
    let answer = Subprocess.shell("\(program) -n script; echo $?", in: folder.path)
    #expect(answer == "0\n")
  }

  /// The completions of bash for the last word of a line.
  static let offered: [(String, [String])] = [
    ("streamrun val", ["validate"]), ("streamrun ls", ["lsp"]), ("streamrun diff --qu", ["--quiet"]),
    ("streamrun schema --wr", ["--write"]), ("streamrun validate --format ", ["text", "json"]),
  ]

  @Test(
    "Bash completes by the script", .enabled(if: program("bash") != nil, "bash is not installed"), arguments: offered)
  func bash(_ line: String, _ expected: [String]) throws {
    let folder = Fixture.Folder()
    folder.add("script", script("bash"))
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let run = """
      source ./script; COMP_LINE='\(line)'; COMP_POINT=\(line.count); COMP_WORDS=(\(words.joined(separator: " "))); \
      COMP_CWORD=\(words.count - 1); _streamrun streamrun \(words[words.count - 1]) \(words[words.count - 2]); \
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    folder.add("run", run)
    let program = try #require(Self.program("bash"))
    let answer = Subprocess.shell("\(program) -O extglob run", in: folder.path)
    #expect(answer.split(separator: "\n").map { $0.filter { $0 != " " } } == expected)
  }
}
