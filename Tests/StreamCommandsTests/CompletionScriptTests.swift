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
    // Without a subcommand, the options are those of run.
    ("streamrun --input x --virt", ["--virtual"]), ("streamrun --vers", ["--version"]),
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

  /// Command lines that end within a one-liner, and its completions; `…` stands for the rest of the second one.
  static let oneLiners: [(command: String, text: String, expected: [String])] = [
    ("streamrun", "filter(value > 1) | coun", ["filter(value > 1) | count(", "filter(value > 1) | count(…"]),
    ("streamrun run --virtual", "debounce(1, onF", ["debounce(1, onFinish: ", "debounce(1, onFinish: …"]),
    ("streamrun show", "debounce(1, onFinish: ", ["debounce(1, onFinish: drop", "debounce(1, onFinish: flush"]),
    ("streamrun", #"map({"m": value}) | nwi"#, [#"map({"m": value}) | nwise("#, #"map({"m": value}) | nwise(…"#]),
    (
      "streamrun", #"map($x ? `a` : "\\t") | nwi"#,
      [#"map($x ? `a` : "\\t") | nwise("#, #"map($x ? `a` : "\\t") | nwise(…"#]
    ),
  ]

  private func check(_ answer: String, _ expected: [String]) {
    let lines = answer.split(separator: "\n").map(String.init)
    #expect(lines.count == expected.count, "\(answer)")
    for (line, expected) in zip(lines, expected) {
      let isWhole = expected.last != "…"
      #expect(isWhole ? line == expected : line.hasPrefix(expected.dropLast()), "\(line)")
    }
  }

  @Test(
    "Bash completes a one-liner in quotation marks", .enabled(if: program("bash") != nil, "bash is not installed"),
    arguments: oneLiners)
  func bashOneLiner(_ command: String, _ text: String, _ expected: [String]) throws {
    let folder = Fixture.Folder()
    folder.add("script", script("bash"))
    folder.add("text", text)
    let count = command.split(separator: " ").count
    folder.add(
      "run",
      """
      source ./script; text="$(cat text)"; COMP_LINE="\(command) -e '$text"; COMP_POINT=${#COMP_LINE}
      COMP_WORDS=(\(command) -e "'$text"); COMP_WORDS[0]='\(Subprocess.path)'; COMP_CWORD=\(count + 1)
      _streamrun streamrun "$text" -e
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    let program = try #require(Self.program("bash"))
    check(Subprocess.shell("\(program) -O extglob run", in: folder.path), expected)
  }

  @Test(
    "Fish receives the completions of a one-liner", .enabled(if: program("fish") != nil, "fish is not installed"),
    arguments: oneLiners)
  func fishOneLiner(_ command: String, _ text: String, _ expected: [String]) throws {
    let folder = Fixture.Folder()
    folder.add("script", script("fish"))
    folder.add("text", text)
    let count = command.split(separator: " ").count
    let subcommand = command.split(separator: " ").dropFirst().first ?? "run"
    folder.add(
      "run",
      """
      source ./script
      set -l text (cat text)
      # Stands for the words of the command line, which need an editor.
      function __streamrun_tokens; printf '%s\\n' '\(Subprocess.path)' \(command.dropFirst(9)) -e "'"(cat text); end
      __streamrun_custom_completion ---completion \(subcommand) -- -e \(count + 1) (string length "'$text") |
        string replace -r '\\t.*' ''
      """)
    let program = try #require(Self.program("fish"))
    check(Subprocess.shell("\(program) --no-config run", in: folder.path), expected)
  }

  @Test(
    "Zsh receives the completions of a one-liner", .enabled(if: program("zsh") != nil, "zsh is not installed"),
    arguments: oneLiners)
  func zshOneLiner(_ command: String, _ text: String, _ expected: [String]) throws {
    let folder = Fixture.Folder()
    folder.add("script", script("zsh"))
    folder.add("text", text)
    let count = command.split(separator: " ").count
    let subcommand = command.split(separator: " ").dropFirst().first ?? "run"
    folder.add(
      "run",
      """
      text="$(cat text)"
      # The end of the script needs the line editor.
      source <(sed '/^if .*funcstack/,$d' script)
      export SAP_SHELL=zsh
      command_name='\(Subprocess.path)'; command_line=(\(command) -e "'$text")
      # Stands for the function that shows candidates, which need an editor.
      __streamrun_complete() { for item in "$@"; do print -r -- "$item"; done }
      __streamrun_custom_complete ---completion \(subcommand) -- -e \(count + 1) $((${#text} + 1))
      """)
    let program = try #require(Self.program("zsh"))
    // A candidate ends before the first colon without a backslash.
    let plain = #"sed 's/\([^\\]\):.*/\1/; s/\\:/:/g; s/\\\\/\\/g'"#
    check(Subprocess.shell("\(program) -f run | \(plain)", in: folder.path), expected)
  }
}
