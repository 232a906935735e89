import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What shells complete by. The scripts stand in `Completions/`; `UPDATE_GOLDEN=1 swift test` writes them anew.
@Suite struct CompletionScriptTests {
  private func script(_ shell: String) -> String {
    let outcome = Subprocess.run(["--generate-completion-script", shell])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    return outcome.output
  }

  @Test(
    "The scripts are those that are held, and each shell that is here reads its own",
    arguments: ["bash", "zsh", "fish"])
  func isFresh(_ shell: String) throws {
    let script = script(shell)
    let path = "\(Fixture.folder(of: #filePath))/Completions/streamrun.\(shell)"
    if BrokenFileTests.updates { Fixture.write(script, to: path) }
    #expect(script == Fixture.read(path))
    let places = ["/bin/\(shell)", "/usr/bin/\(shell)", "/usr/local/bin/\(shell)"]
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else { return }
    let folder = Fixture.Folder()
    folder.add("script", script)
    // All three read a script without running it with -n.
    let answer = Subprocess.shell("\(program) -n script; echo $?", in: folder.path)
    #expect(answer == "0\n")
  }

  /// What bash offers for the last word of a line.
  static let offered: [(String, [String])] = [
    ("streamrun val", ["validate"]), ("streamrun ls", ["lsp"]), ("streamrun diff --qu", ["--quiet"]),
    ("streamrun schema --wr", ["--write"]), ("streamrun validate --format ", ["text", "json"]),
  ]

  @Test("bash completes by the script", .enabled(if: access("/bin/bash", X_OK) == 0), arguments: offered)
  func bash(_ line: String, _ expected: [String]) {
    let folder = Fixture.Folder()
    folder.add("script", script("bash"))
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let run = """
      source ./script; COMP_LINE='\(line)'; COMP_POINT=\(line.count); COMP_WORDS=(\(words.joined(separator: " "))); \
      COMP_CWORD=\(words.count - 1); _streamrun streamrun \(words[words.count - 1]) \(words[words.count - 2]); \
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    folder.add("run", run)
    let answer = Subprocess.shell("/bin/bash -O extglob run", in: folder.path)
    #expect(answer.split(separator: "\n").map { $0.filter { $0 != " " } } == expected)
  }
}
