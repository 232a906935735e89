internal import CLibrary
internal import StreamFiles
internal import StreamSharing

/// Asks for the passphrases of key files: from a file, the environment, or the terminal without echo.
final class PassphraseReader {
  /// The variable of the environment.
  static let variable = "STREAMHUB_PASSPHRASE"

  private let file: String?
  /// The passphrases given so far, the newest last; each is tried before another one is asked for.
  private(set) var known: [String] = []
  /// Whether a person can be asked.
  var isAttended = true

  /// - Parameter file: The path of a file whose first line is the passphrase; nil for none.
  init(file: String?) { self.file = file }

  /// The passphrase for new keys, which a person types twice.
  func new() throws(TrustError) -> String {
    if let passphrase = try given() ?? known.last { return passphrase }
    let first = try ask("passphrase for the new keys: ")
    guard !first.isEmpty else {
      throw TrustError(.storage, "passphrase", "it is empty; --no-passphrase writes keys without encryption")
    }
    guard try ask("the same again: ") == first else {
      throw TrustError(.storage, "passphrase", "the two passphrases differ")
    }
    known.append(first)
    return first
  }

  /// Reads an encrypted file with the passphrases that are known, and then with one that is asked for.
  func open(_ path: String) throws(TrustError) -> SigningKey {
    for passphrase in try given().map({ [$0] }) ?? known {
      do throws(TrustError) {
        return try KeyFile.read(path) { () throws(TrustError) in passphrase }
      } catch {
        if try given() != nil { throw error }
      }
    }
    return try KeyFile.read(path) { () throws(TrustError) in
      let passphrase = try ask("passphrase of \(path): ")
      known.append(passphrase)
      return passphrase
    }
  }

  /// The passphrase of the file or of the environment.
  private func given() throws(TrustError) -> String? {
    guard let file else { return ProcessEnvironment.variable(Self.variable) }
    guard let bytes = try FolderFiles.read(file, atMost: 4_096, of: file) else {
      throw TrustError(.storage, file, "there is no such file")
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty else { throw TrustError(.storage, file, "its first line is empty; expected a passphrase") }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads a line from the terminal without showing it.
  private func ask(_ question: String) throws(TrustError) -> String {
    guard isAttended else {
      throw TrustError(
        .storage, "passphrase", "it is another one than at the start; use --passphrase-file, or start the hub again")
    }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw TrustError(
        .storage, "passphrase",
        "there is no terminal to ask for it; use --passphrase-file, or set \(Self.variable)")
    }
    defer { CLibrary.close(terminal) }
    var settings = termios()
    tcgetattr(terminal, &settings)
    let shown = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &settings)
    defer {
      var shown = shown
      tcsetattr(terminal, TCSAFLUSH, &shown)
    }
    let file = FileDescriptor(number: terminal)
    try? file.write(question)
    var line: [UInt8] = []
    while line.count < 4_096, let byte = try? file.read(atMost: 1).first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    try? file.write("\n")
    return String(decoding: line, as: UTF8.self)
  }

  private func open(_ path: String, _ flags: Int32) -> Int32 { CLibrary.open(path, flags) }
}
