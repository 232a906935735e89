internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// A subcommand that prints on a console and returns an exit code.
protocol ConsoleCommand: ParsableCommand {
  var appearance: AppearanceOptions { get }
  /// The form of messages. Default text.
  var log: LogFormat { get }
  /// The files that stream files may name. Default: files below their directories.
  var access: FileAccess { get }

  /// Maximum memory of the program, from its start. Default 1 GB.
  var memoryLimit: ByteCount { get }
  /// The stream in its short form; nil, the default, if the command reads files.
  var oneLiner: String? { get }
  /// The values that a one-liner may use. Default none.
  var compile: CompileRequest { get }

  /// Does the work. Errors are printed and end the program with `ExitCode.wrong`.
  func perform(_ console: Console) throws(Diagnostics) -> Int32
}

extension ConsoleCommand {
  var access: FileAccess { FileAccess() }
  var log: LogFormat { .text }
  var memoryLimit: ByteCount { .standardMemory }
  var oneLiner: String? { nil }
  var compile: CompileRequest { CompileRequest() }
}
