#if Sharing
internal import ArgumentParser
internal import CLibrary
internal import StreamCommands
internal import StreamCore
internal import StreamDriving
internal import StreamSharing

/// A subcommand of `streamhub` that prints on a console.
protocol HubCommand: AsyncParsableCommand {
  var appearance: AppearanceOptions { get }

  /// Does the work and returns the exit code. A `TrustError` ends the program with `ExitCode.failed`, `Diagnostics` with
  /// `ExitCode.wrong`.
  func perform(_ console: Console) async throws -> Int32
}

extension HubCommand {
  /// The current time, in seconds since 1970.
  var now: Int64 { Int64(time(nil)) }

  mutating func run() async throws {
    let console = Console(color: appearance.color)
    var code: Int32
    do {
      code = try await perform(console)
    } catch let error as TrustError {
      console.say("error: \(SourceExcerpt.visible("\(error)"))")
      code = ExitCode.failed
    } catch let error as Diagnostics {
      console.report(error)
      code = ExitCode.wrong
    }
    code = console.close(Interruption.hasHappened ? ExitCode.interrupted : code)
    guard code == ExitCode.good else { throw ArgumentParser.ExitCode(code) }
  }
}
#endif
