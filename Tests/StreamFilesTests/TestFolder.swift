import Foundation

/// A temporary folder, which is removed with the value.
final class TestFolder {
  let path = "/tmp/streamfiles-tests-\(UUID())"

  init() { addFolder("") }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file in place: one that exists stays the same file. Returns its path.
  @discardableResult
  func add(_ name: String, _ text: String) -> String {
    try? Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }

  func addFolder(_ name: String) {
    try? FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
  }

  func read(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path(name)) ?? Data(), as: UTF8.self)
  }

  /// The names of files that are being written.
  var unfinished: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return (names ?? []).filter { $0.hasSuffix(".new") }.sorted()
  }
}
