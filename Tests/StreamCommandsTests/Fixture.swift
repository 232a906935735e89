import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that tests read and make.
enum Fixture {
  /// The folder of the package.
  static let package: String = folder(of: folder(of: folder(of: #filePath)))
  /// Stream files with mistakes, and beside them what is said about them.
  static let broken = folder(of: #filePath) + "/Broken"

  static func folder(of path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  /// The text of a file; empty if there is none.
  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk.prefix(count)
    }
  }

  static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, file)
  }

  /// The names of the files in a folder that end so, sorted, without the ending.
  static func names(in folder: String, ending: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { names.append(String(name.dropLast(ending.count))) }
    }
    return names.sorted()
  }

  private static let number = Atomic<Int>(0)

  /// A temporary folder, which is removed with the value.
  final class Folder {
    let path: String

    init() {
      let number = Fixture.number.add(1, ordering: .relaxed).newValue
      path = "/tmp/streamrun-tests-\(getpid())-\(number)"
      mkdir(path, 0o700)
    }

    deinit {
      for name in Fixture.names(in: path, ending: "") where name != "." && name != ".." {
        if unlink("\(path)/\(name)") != 0 { rmdir("\(path)/\(name)") }
      }
      rmdir(path)
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a file; gives its path.
    @discardableResult
    func add(_ name: String, _ text: String) -> String {
      Fixture.write(text, to: path(name))
      return path(name)
    }

    func addFolder(_ name: String) { mkdir(path(name), 0o700) }
  }
}
