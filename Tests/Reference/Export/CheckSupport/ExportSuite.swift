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

  /// Runs the tests; gives how many there were, and what was wrong.
  func run(in folder: String) throws -> (count: Int, differences: [String]) {
    let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    let stream = try LoadedStream(JSONDocument(reading: text, file: file), identity: "\(folder)/\(file)")
    var differences: [String] = []
    for test in stream.model.tests {
      let world = World(test)
      build(world)
      world.run()
      for difference in HistoryComparison(test.expect, world.history).differences {
        differences.append("\(file), \(test.name): \(difference)")
      }
    }
    return (stream.model.tests.count, differences)
  }
}

/// Runs all suites; ends the program with 1 where a history differs.
public func runAll(_ suites: [ExportSuite]) {
  let folder = CommandLine.arguments.dropFirst().first ?? "Streams"
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
  exit(differences.isEmpty && count > 0 ? 0 : 1)
}
