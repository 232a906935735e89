internal import StreamFiles

/// The objects of a repository, read by git in a directory of ours.
///
/// The directory has no configuration, attributes, hooks, references, grafts or remotes but ours, and neither has the
/// environment: nothing in the folder, `$HOME` or the system names a program that git would start. Objects that
/// a partial clone lacks are missing, since there is no remote to fetch them from.
struct GitObjects {
  private let repository: GitRepository
  private let program: String

  /// Time for one answer of git, in milliseconds.
  private static let patience = 20_000

  /// Whether there is a program `git`.
  static var isInstalled: Bool { ProgramFile.find("git") != nil }

  /// - Throws: If there is no program `git`.
  init(_ repository: GitRepository) throws(StudioProblem) {
    guard let program = ProgramFile.find("git") else {
      throw .missing("git is not installed")
    }
    self.repository = repository
    self.program = program
  }

  /// Runs git's plumbing, which reads objects only.
  ///
  /// - Returns: Its output; nil if git has no such object.
  /// - Throws: If the output is too long, or takes too long.
  func read(_ arguments: [String]) throws(StudioProblem) -> [UInt8]? {
    let directory: String
    do throws(SystemError) { directory = try makeDirectory() } catch {
      throw StudioProblem(
        .unprocessableContent, "git needs a temporary directory, which cannot be created", detail: error.explanation)
    }
    defer { Directory.removeAll(directory) }
    let silence = try? FileDescriptor.append("/dev/null")
    defer { silence?.close() }
    let process: PipedProcess
    do throws(SystemError) {
      // Git's own words are for a terminal.
      process = try PipedProcess(
        program, ["-C", directory, "--no-pager", "--literal-pathspecs"] + arguments, readsOutput: true,
        messages: silence, environment: environment(directory))
    } catch {
      throw .missing("git cannot be started: \(error.explanation)")
    }
    process.closeInput()
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(Self.patience)
    var bytes: [UInt8] = []
    while let output = process.output, !process.hasClosedOutput {
      _ = Waiting.readable([output], nanoseconds: 100_000_000)
      if let more = process.read() { bytes += more }
      guard bytes.count <= StudioFolder.longestText, clock.now < end else {
        throw StudioProblem(.unprocessableContent, "git's answer is too long, or takes too long")
      }
    }
    PipedProcess.wait(for: [process], 2_000)
    guard case .exit(0)? = process.end else { return nil }
    return bytes
  }

  private func environment(_ directory: String) -> [String] {
    [
      "PATH=\(ProcessEnvironment.variable("PATH") ?? "")", "LC_ALL=C", "HOME=\(directory)",
      "XDG_CONFIG_HOME=\(directory)", "GIT_DIR=\(directory)", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=/dev/null",
      "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
      "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
    ]
  }

  /// Creates a bare repository without references, whose objects are those of the folder's repository.
  private func makeDirectory() throws(SystemError) -> String {
    let directory = try Directory.createTemporary("streamstudio-git")
    do throws(SystemError) {
      try Directory.createAll(Path.join(directory, "objects/info"))
      try Directory.create(Path.join(directory, "refs"))
      let usesSHA256 = repository.head?.utf8.count == 64
      let format = usesSHA256 ? "\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n" : ""
      for (name, text) in [
        ("HEAD", "ref: refs/heads/none\n"), ("config", "[core]\n\tbare = true\n" + format),
        ("objects/info/alternates", Self.quoted(repository.objects) + "\n"),
        ("shallow", repository.shallowCommits.map { $0 + "\n" }.joined()),
      ] where !text.isEmpty {
        let file = try FileDescriptor.createPrivate(Path.join(directory, name))
        defer { file.close() }
        try file.write(text)
      }
      return directory
    } catch {
      Directory.removeAll(directory)
      throw error
    }
  }

  /// A path as git quotes it.
  private static func quoted(_ path: String) -> String {
    "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }
}
