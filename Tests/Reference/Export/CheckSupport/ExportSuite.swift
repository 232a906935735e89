import Foundation
import StreamCombine
import StreamCore
import StreamKit
import StreamRuntime

/// A file's tests, run on what was exported of it.
public struct ExportSuite: Sendable {
  let file: String
  /// Makes the exported stream, and connects it with the world.
  let build: @Sendable (World) -> Void

  public init(file: String, build: @escaping @Sendable (World) -> Void) {
    self.file = file
    self.build = build
  }

  /// OpenCombine's subjects hand a value to their subscribers in no certain order, Combine's in order of subscription: of
  /// so many runs one must be as expected.
  private static let attemptCount = 20

  /// Runs the tests; gives how many there were, and what was wrong.
  func run(in folder: String) throws -> (count: Int, differences: [String]) {
    let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    let stream = try StreamFile(JSONDocument(reading: text, file: file), identity: "\(folder)/\(file)")
    var differences: [String] = []
    for test in stream.model.tests {
      var found: [String] = []
      for _ in 0..<Self.attemptCount {
        let world = World(test)
        build(world)
        world.run()
        found = HistoryComparison(test.expect, world.history, isCut: test.seconds != nil).differences
        if found.isEmpty { break }
      }
      differences += found.map { "\(file), \(test.name): \($0)" }
    }
    return (stream.model.tests.count, differences)
  }
}

/// Runs all suites; ends the program with 1 where a history differs that should not: FOLDER DIFFERS
///
/// `FOLDER --scripts FILE` writes down what the tests of the folder's files feed and answer, for programs in other
/// languages; `FOLDER --heard FILE DIFFERS` compares what such a program has heard with what the tests expect.
public func runAll(_ suites: [ExportSuite]) {
  let arguments = Array(CommandLine.arguments.dropFirst())
  do {
    switch (arguments.count, arguments.dropFirst().first) {
    case (3, "--scripts"):
      let scripts = try ExportScripts(of: arguments[0]).value
      try JSONWriter.compact(scripts).write(toFile: arguments[2], atomically: true, encoding: .utf8)
    case (4, "--heard"):
      let outcome = try ExportScripts(of: arguments[0]).differences(inHeard: arguments[2])
      exit(try outcome.report("exported to RxJS", knowing: arguments[3]))
    case (2, _): exit(try differences(suites, arguments[0]).report("exported to Swift", knowing: arguments[1]))
    default: preconditionFailure("expected FOLDER DIFFERS, FOLDER --scripts FILE, or FOLDER --heard FILE DIFFERS")
    }
  } catch {
    print(error)
    exit(2)
  }
}

private func differences(_ suites: [ExportSuite], _ folder: String) throws -> ExportDifferences {
  var outcome = ExportDifferences()
  for suite in suites {
    let found = try suite.run(in: folder)
    outcome.add(suite.file, testCount: found.count, found.differences)
  }
  return outcome
}
