internal import StreamDriving
internal import StreamFiles

extension Console {
  /// A console without a reader: responses have the messages.
  ///
  /// - Parameter texts: Texts that stand for files, by path.
  static func quiet(_ access: FileAccess = FileAccess(), texts: [String: [UInt8]] = [:]) -> Console {
    Console(color: .never, access: access, texts: NamedTexts(texts), errors: silence)
  }

  private static let silence = (try? FileDescriptor.append("/dev/null")) ?? .standardError
}
