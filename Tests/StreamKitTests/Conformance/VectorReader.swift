import Foundation
import StreamCore

/// Finds the vectors: `RX_CONFORMANCE`, or the shared folder beside the package.
enum VectorReader {
  /// Whether the vectors are those that `Deviations` lists.
  static var isSharedFolder: Bool { ProcessInfo.processInfo.environment["RX_CONFORMANCE"] == nil }

  static var folder: URL? {
    let given = ProcessInfo.processInfo.environment["RX_CONFORMANCE"].map { URL(filePath: $0) }
    var package = URL(filePath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let folder = given ?? package.deletingLastPathComponent().appending(path: "shared/conformance/rxjs")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  /// The vectors of every `.ndjson` file in the folder and the folders in it, in the order of their names; nil where
  /// there is no folder.
  static func vectors() throws -> [ConformanceVector]? {
    guard let folder else { return nil }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".ndjson") }.sorted()
    return try names.flatMap { name in
      let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        .split(whereSeparator: \.isNewline)
      return try lines.map { line in try ConformanceVector(JSONDocument(reading: String(line), file: name).value) }
    }
  }
}
