/// A format of compressed files that a program of the system decompresses.
package struct Compression: Sendable {
  /// The name of the format.
  package let name: String
  /// The first bytes of a file.
  private let magic: [UInt8]
  /// The program, which has the name of its package.
  let program: String

  private static let all: [Compression] =
    [
      Compression(name: "gzip", magic: [0x1F, 0x8B], program: "gzip"),
      Compression(name: "zstd", magic: [0x28, 0xB5, 0x2F, 0xFD], program: "zstd"),
    ]
    + (0x50...0x5F).map { byte in
      // A skippable frame, with which seekable files begin.
      Compression(name: "zstd", magic: [byte, 0x2A, 0x4D, 0x18], program: "zstd")
    } + [
      Compression(name: "xz", magic: [0xFD, 0x37, 0x7A, 0x58, 0x5A], program: "xz")
    ]

  /// The endings of the names of compressed files.
  private static let endings = [".gz": "gzip", ".zst": "zstd", ".xz": "xz"]

  /// Finds the format of a file by the ending of its name; nil if the name has no such ending.
  package init?(ofFile path: String) {
    let name = path.lowercased()
    guard let program = Self.endings.first(where: { name.hasSuffix($0.key) })?.value,
      let found = Self.all.first(where: { $0.program == program })
    else { return nil }
    self = found
  }

  /// The number of bytes that show the format.
  private static let longestMagic = 5

  /// The kind that the first bytes of a file show.
  enum Beginning {
    case compressed(Compression)
    case plain
    /// More bytes are needed.
    case unknown
  }

  /// - Parameter bytes: At least one byte of the start of a file.
  static func beginning(_ bytes: UnsafeBufferPointer<UInt8>) -> Beginning {
    for format in all {
      if bytes.starts(with: format.magic) { return .compressed(format) }
      if bytes.count < format.magic.count, format.magic.starts(with: bytes) { return .unknown }
    }
    return .plain
  }

  /// Recognizes a regular file by its first bytes, without moving its position; nil if it is not compressed, or not
  /// regular.
  package init?(of file: FileDescriptor) {
    guard let status = try? file.status(), status.kind == .regular,
      let bytes = try? file.read(exactly: min(status.size, Self.longestMagic), at: 0), !bytes.isEmpty,
      case .compressed(let found) = bytes.withUnsafeBufferPointer(Self.beginning)
    else { return nil }
    self = found
  }

  private init(name: String, magic: [UInt8], program: String) {
    (self.name, self.magic, self.program) = (name, magic, program)
  }

  /// The error for a compressed file that is followed.
  package var followed: SystemError {
    SystemError(
      message: "it is compressed with \(name), and compressed files do not grow",
      help: "remove --follow, or follow the file before it is compressed")
  }
}
