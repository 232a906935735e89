import Foundation
import StreamCombine
import StreamCore
import StreamKit
import StreamRuntime

/// A file's tests, run on what was exported of it.
public struct ExportSuite {
  let file: String
  /// Makes the exported stream, and connects it with the world.
  let build: (World) -> Void

  public init(file: String, build: @escaping (World) -> Void) {
    self.file = file
    self.build = build
  }

  /// OpenCombine's subjects hand a value to their subscribers in no certain order, Combine's in order of subscription: of
  /// so many runs one must be as expected.
  private static let attemptCount = 20

  /// Runs the tests; gives how many there were, and what was wrong.
  func run(in folder: String) throws -> (count: Int, differences: [String]) {
    let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    let stream = try LoadedStream(JSONDocument(reading: text, file: file), identity: "\(folder)/\(file)")
    var differences: [String] = []
    for test in stream.model.tests {
      var found: [String] = []
      for _ in 0..<Self.attemptCount {
        let world = World(test)
        build(world)
        world.run()
        found = HistoryComparison(test.expect, world.history).differences
        if found.isEmpty { break }
      }
      differences += found.map { "\(file), \(test.name): \($0)" }
    }
    return (stream.model.tests.count, differences)
  }
}

/// Runs all suites; ends the program with 1 where a history differs.
///
/// With `--scripts FILE` it writes down what the tests of the folder's files feed and answer, for programs in other
/// languages; with `--heard FILE` it compares what such a program has heard with what the tests expect.
public func runAll(_ suites: [ExportSuite]) {
  let arguments = CommandLine.arguments.dropFirst()
  let folder = arguments.first ?? "Streams"
  do {
    switch arguments.dropFirst().first {
    case "--scripts": try write(ExportScripts(of: folder).value, to: arguments.last ?? "")
    case "--heard": exit(try ExportScripts(of: folder).compare(arguments.last ?? "", with: "exported to RxJS"))
    default: exit(compare(suites, folder))
    }
  } catch {
    print(error)
    exit(2)
  }
}

private func write(_ value: Value, to path: String) throws {
  try JSONWriter.compact(value).write(toFile: path, atomically: true, encoding: .utf8)
}

private func compare(_ suites: [ExportSuite], _ folder: String) -> Int32 {
  var count = 0
  var differences: [String] = []
  for suite in suites {
    do {
      let outcome = try suite.run(in: folder)
      count += outcome.count
      differences += outcome.differences
    } catch {
      differences.append("\(suite.file): \(error)")
    }
  }
  for difference in differences { print(difference) }
  print("\(suites.count) exported streams, \(count) tests, \(differences.count) lines of differences")
  return differences.isEmpty && count > 0 ? 0 : 1
}
