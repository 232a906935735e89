#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

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
      let count = part.withUnsafeMutableBytes { unsafeRead(descriptor, $0) }
      if count < 0 { return nil }
      if count == 0 { return result }
      result += part[..<count]
    }
    return nil
  }

  private static func unsafeRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
    Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
    Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}
