import Foundation
import StreamCore

/// Finds the vectors: `RX_CONFORMANCE`, or the shared folder beside the package where it exists.
enum VectorReader {
  /// Whether the vectors are those that `Deviations` lists.
  static var isSharedFolder: Bool { ProcessInfo.processInfo.environment["RX_CONFORMANCE"] == nil }

  static var folder: URL? {
    if let given = ProcessInfo.processInfo.environment["RX_CONFORMANCE"] { return URL(filePath: given) }
    var package = URL(filePath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let folder = package.deletingLastPathComponent().appending(path: "shared/conformance/rxjs")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  /// The lines of every `.ndjson` file in the folder and the folders in it, in the order of their names: vectors, or why
  /// one cannot be read. Nil where there is no folder.
  static func vectors() throws -> [Result<ConformanceVector, VectorProblem>]? {
    guard let folder else { return nil }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".ndjson") }.sorted()
    return try names.flatMap { name in
      let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        .split(whereSeparator: \.isNewline)
      return lines.enumerated().map { index, line in vector(String(line), place: "\(name):\(index + 1)") }
    }
  }

  private static func vector(_ line: String, place: String) -> Result<ConformanceVector, VectorProblem> {
    do {
      return .success(try ConformanceVector(JSONDocument(reading: line, file: place).value))
    } catch let problem as VectorProblem {
      return .failure(VectorProblem("\(place): \(problem.message)"))
    } catch {
      return .failure(VectorProblem("\(place): is not JSON"))
    }
  }
}
