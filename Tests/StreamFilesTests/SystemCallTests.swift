import Foundation
import Testing

/// The calls of the system that faults are injected into, as the sources make them.
@Suite struct SystemCallTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// Files that make such a call themselves, and the reason.
  private static let exceptions = [
    "StreamFiles/System/SystemCalls.swift": "the list itself",
    "StreamFiles/System/FaultPlan.swift": "calls that are not to be counted",
    "StreamFiles/System/CrashMark.swift": "a handler of signals writes a byte",
    "StreamDriving/Measuring/ProcessMemory.swift": "reads a file of the system",
    "CEL/Time/ZoneFile.swift": "reads a file of the system",
    "StreamKit/Running/Live/UnhandledFailure.swift": "standard error",
    "StreamHub/Keys/PassphraseReader.swift": "the terminal",
  ]

  @Test("Files and directories are opened, read, written and named by SystemCalls alone")
  func oneList() throws {
    let names = "mkdir|unlink|rmdir|openat|opendir|creat|ftruncate|fsync|fdatasync|flock|fchmod|pread|pwrite|mkstemp"
    let others = #"open\([^)]*\bO_|rename\([^)]*\) [!=]= 0|CLibrary\.(?:open|read|write|rename|link)\("#
    let call = try Regex(#"(?:^|[^\w.])(?:(?:CLibrary\.)?(?:\#(names))\(|\#(others))"#)
    var found: [String] = []
    let sources = "\(Self.package)/Sources"
    let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    for file in files where file.hasSuffix(".swift") && Self.exceptions[file] == nil {
      for line in try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8).split(separator: "\n") {
        guard let match = line.firstMatch(of: call) else { continue }
        let before = line[..<match.range.lowerBound]
        if !before.contains(/\/\/|"/), !before.hasSuffix("func") { found.append("\(file): \(line)") }
      }
    }
    #expect(found == [])
  }
}
