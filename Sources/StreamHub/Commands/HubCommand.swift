internal import ArgumentParser
internal import CLibrary
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// A subcommand of `streamhub` that prints on a console.
protocol HubCommand: AsyncParsableCommand {
  var appearance: AppearanceOptions { get }
  /// The form of messages. Default text.
  var log: LogFormat { get }

  /// Does the work and returns the exit code. A `TrustError` or a `ServerError` ends the program with
  /// `ExitCode.failed`, `Diagnostics` with `ExitCode.wrong`.
  func perform(_ console: Console) async throws -> Int32
}

extension HubCommand {
  var log: LogFormat { .text }

  /// The current time, in seconds since 1970.
  var now: Int64 { Int64(time(nil)) }

  mutating func run() async throws {
    let console = Console(color: appearance.color, log: log)
    var code: Int32
    do {
      code = try await perform(console)
    } catch {
      // The interruption is the reason for most failures then: a file was not read to its end.
      code = Interruption.hasHappened ? ExitCode.interrupted : try report(error, console)
    }
    code = console.close(code)
    guard code == ExitCode.good else { throw ArgumentParser.ExitCode(code) }
  }

  private func report(_ error: any Error, _ console: Console) throws -> Int32 {
    switch error {
    case let error as Diagnostics:
      console.report(error)
      return ExitCode.wrong
    case is TrustError, is ServerError:
      console.say("error: \(error)")
      return ExitCode.failed
    default: throw error
    }
  }
}
