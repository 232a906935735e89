internal import CLibrary

/// Reads a zone's file from the system's time zone database.
enum ZoneFile {
  /// Locations of the database on different systems.
  private static let folders = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo"]
  /// Size limit, larger than any zone's file.
  private static let maximumBytes = 1 << 18

  static func read(_ name: String) -> [UInt8]? {
    for folder in folders {
      let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if let bytes = readAll(descriptor) { return bytes }
    }
    return nil
  }

  private static func readAll(_ descriptor: Int32) -> [UInt8]? {
    var result: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while result.count < maximumBytes {
      let count = part.withUnsafeMutableBytes { CLibrary.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { return nil }
      if count == 0 { return result }
      result += part[..<count]
    }
    return nil
  }
}
