internal import Foundation
internal import Synchronization

/// Files that tests read and make.
package enum Fixture {
  /// The folder of the package.
  package static let package: String = folder(of: folder(of: folder(of: #filePath)))
  /// Stream files with mistakes, and the expected messages beside them.
  package static let broken = package + "/Tests/StreamCommandsTests/Broken"

  package static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// The text of a file; empty if there is none.
  package static func read(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// Writes a file in place: one that exists stays the same file.
  package static func write(_ text: String, to path: String) { try? Data(text.utf8).write(to: URL(filePath: path)) }

  /// Writes bytes to a file in place.
  package static func write(_ bytes: [UInt8], to path: String) { try? Data(bytes).write(to: URL(filePath: path)) }

  /// The names of the files in a folder with this ending, sorted, without the ending.
  package static func names(in folder: String, ending: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
  }

  private static let number = Atomic<Int>(0)

  /// A temporary folder, which is removed with the value.
  package final class Folder {
    package let path: String

    package init() {
      let number = Fixture.number.add(1, ordering: .relaxed).newValue
      path = "/tmp/streamrun-tests-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
      Self.make(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a file; gives its path.
    @discardableResult
    package func add(_ name: String, _ text: String) -> String {
      Fixture.write(text, to: path(name))
      return path(name)
    }

    package func addFolder(_ name: String) { Self.make(path(name)) }

    private static func make(_ path: String) {
      try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
  }
}
