import Foundation

/// What differs between files and what was exported of them.
struct ExportDifferences {
  private var files: [(file: String, lines: [String])] = []
  private var testCount = 0

  mutating func add(_ file: String, testCount: Int, _ lines: [String]) {
    files.append((file, lines))
    self.testCount += testCount
  }

  /// Prints what differs, but for the files that are listed at `path` with the reason (`FILE: REASON`); gives how the
  /// program ends: with 1 where something differs that is not listed, or something listed does not differ.
  func report(_ what: String, knowing path: String) throws -> Int32 {
    let known = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
      $0.split(separator: ":").first.map(String.init)
    }
    let differing = files.filter { !$0.lines.isEmpty }.map(\.file)
    var isWrong = testCount == 0
    for (file, lines) in files where !lines.isEmpty && !known.contains(file) {
      isWrong = true
      for line in lines { print(line) }
    }
    for file in known where !differing.contains(file) {
      isWrong = true
      print("\(file) is listed because it differs, and does not: take it off the list")
    }
    print("\(files.count) streams \(what), \(testCount) tests; \(differing.count) differ, \(known.count) of them known")
    return isWrong ? 1 : 0
  }
}
