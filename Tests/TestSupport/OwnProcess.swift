import Foundation
import Testing

/// A process in which one test runs alone.
///
/// NB: The exit tests of Swift Testing are not used: they wait for any child process, and see none of theirs as long as
/// another test has one that has ended and is not reaped.
package enum OwnProcess {
  private static let mark = "STREAMRUN_OWN_PROCESS"

  /// Runs a check in a process that runs the calling test alone. The test passes if it does there.
  ///
  /// - Parameter suite: The name of the suite's type.
  package nonisolated(nonsending) static func run(
    of suite: String, test: String = #function, _ check: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    if ProcessInfo.processInfo.environment[mark] != nil { return try await check() }
    let files = Fixture.Folder()
    let name = test.prefix { $0 != "(" }
    let child = Child(
      program: CommandLine.arguments[0],
      ["--testing-library", "swift-testing", "--filter", #"\.\#(suite)/\#(name)\("#],
      input: Subprocess.openRead("/dev/null"), output: Subprocess.openWrite(files.path("output")), errors: nil,
      environment: ["\(mark)=1"])
    let code = child.wait()
    let output = Fixture.read(files.path("output"))
    #expect(code == 0 && output.contains("1 test"), "\(output)")
  }
}
