internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamPartition

/// The program `streamrun` as a function of its arguments.
public enum StreamrunTool {
  /// Runs the command in the arguments of this process and returns the exit code.
  ///
  /// - Parameter commit: The commit from which the program is built; empty if there is none.
  public static func main(commit: String = "") -> Int32 {
    ProgramVersion.declare(commit: commit)
    let arguments = ProcessArguments.read()
    ProgramFile.declare()
    return CommandStack.run { run(Array(arguments.dropFirst())) }
  }

  /// Runs the command in the arguments and returns the exit code.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  public static func run(_ arguments: [String]) -> Int32 {
    FileDescriptor.openStandardFiles()
    Interruption.watch()
    if let pipes = TestWorker.pipes(arguments) { return TestWorker.run(pipes.requests, pipes.replies) }
    if let request = RunRequest(plain: arguments) {
      return perform(on: Console(color: .auto)) { console throws(Diagnostics) in
        do throws(Diagnostics) {
          return try request.perform(console)
        } catch {
          throw error.suggestingSubcommand(for: arguments)
        }
      }
    }
    if let unknown = CommandLineArguments.unknownHelp(arguments) {
      Console(color: .auto).report(
        Diagnostic(
          .invalidArgument, "there is no subcommand '\(unknown)'",
          help: ArgumentAdvice.subcommand(for: unknown)))
      return ExitCode.wrong
    }
    let command: any ConsoleCommand
    do {
      var parsed = try Streamrun.parseAsRoot(CommandLineArguments.unambiguous(arguments))
      guard let ours = parsed as? any ConsoleCommand else {
        // Any other command is the argument parser's own: help, which it throws.
        try parsed.run()
        return ExitCode.good
      }
      command = ours
    } catch {
      return explain(error, arguments)
    }
    let texts = command.oneLiner.map {
      NamedTexts(shortForms: [ShortForm.file: Array($0.utf8)], parameters: command.compile.valuesOfOneLiner)
    }
    let console = Console(color: command.appearance.color, access: command.access, texts: texts, log: command.log)
    command.compile.noteFiles(console.usedFiles)
    console.memory = command.memoryLimit
    return perform(on: console) { console throws(Diagnostics) in
      guard command.oneLiner != nil else { return try command.perform(console) }
      try CommandLineArguments.checkOneLiner(arguments)
      do throws(Diagnostics) {
        return try command.perform(console)
      } catch {
        throw error.suggestingParameter()
      }
    }
  }

  private static func perform(on console: Console, _ work: (Console) throws(Diagnostics) -> Int32) -> Int32 {
    do throws(Diagnostics) {
      let code = try work(console)
      // The code of a command that has failed takes precedence.
      return console.close(Interruption.hasHappened && code == ExitCode.good ? ExitCode.interrupted : code)
    } catch {
      // The interruption is the reason for most failures then: a file was not read to its end.
      if Interruption.hasHappened { return console.close(ExitCode.interrupted) }
      console.report(error)
      return console.close(ExitCode.wrong)
    }
  }

  /// Prints help or the version, or reports an error in the arguments, and returns the exit code.
  private static func explain(_ error: any Error, _ arguments: [String]) -> Int32 {
    Streamrun.end(
      error, log: LogFormat.requested(by: arguments), extended: { CompletionScript.extended($0, for: arguments) },
      advising: { OptionAdvice.namingUnknownOption(in: arguments, of: Streamrun.self, $0) },
      help: { ArgumentAdvice.help(for: arguments, $0) })
  }
}

extension Diagnostics {
  /// Returns the diagnostics with a suggested subcommand if a file was not found whose name resembles one.
  fileprivate func suggestingSubcommand(for arguments: [String]) -> Diagnostics {
    guard let help = arguments.first.flatMap(ArgumentAdvice.subcommand) else { return self }
    return Diagnostics(
      all.map { diagnostic in
        guard diagnostic.code == .fileNotFound, diagnostic.help == nil else { return diagnostic }
        var helped = diagnostic
        helped.help = help
        return helped
      })
  }
}

extension Diagnostics {
  /// Returns the diagnostics of a one-liner. An unknown name may be that of a parameter.
  fileprivate func suggestingParameter() -> Diagnostics {
    Diagnostics(
      all.map { problem in
        guard problem.code == .unknownName, problem.location?.file == ShortForm.file, let help = problem.help,
          help.hasPrefix("names in scope"), let name = problem.message.split(separator: "'").dropFirst().first
        else { return problem }
        var helped = problem
        helped.help = "\(help); a parameter is given by --set \(name)=VALUE"
        return helped
      })
  }
}

/// The root command with its subcommands.
struct Streamrun: ParsableCommand {
  static let version = ProgramVersion.text

  static let configuration = CommandConfiguration(
    commandName: "streamrun",
    abstract: "Runs reactive streams written as JSON.",
    usage: """
      streamrun <file> [--input <name=path> ...] [<options>]
      streamrun -e <one-liner> [--input <path>] [<options>]
      streamrun <subcommand>
      """,
    discussion: """
      A stream file defines a source of values and the operators applied to them. Values are read and written as JSON, \
      one per line.

      Examples:
        streamrun stream.json                       run a stream
        streamrun stream.json < events.ndjson       feed its input
        streamrun -e 'map(value * 2)' < n.ndjson    run a one-liner
        streamrun validate Streams                  check all files in a directory
        streamrun operators debounce                describe an operator
      """,
    version: "streamrun \(ProgramVersion.full)",
    subcommands: [
      Run.self, Validate.self, Test.self, Format.self, Edit.self, Diff.self, Patch.self, Merge.self, Resolve.self,
      Show.self, Replay.self, Explain.self, Bench.self, State.self, Top.self, Evaluate.self, Import.self,
      Operators.self, Functions.self,
      Schema.self, Canonical.self, Hash.self, Worker.self, Shard.self, LanguageServerCommand.self, StudioCommand.self,
    ],
    defaultSubcommand: Run.self)

  /// The first arguments that name no file: `help` is the argument parser's own.
  static var subcommandNames: [String] {
    configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]
  }
}
