internal import CLibrary
internal import StreamCore
internal import StreamFiles

/// Private keys in files: PKCS #8 in PEM, encrypted if they have a passphrase, readable by their owner only.
public enum KeyFile {
  private static let greatestLength = 64 * 1024

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - passphrase: Called if the key is encrypted.
  /// - Throws: `malformed` for a file that is not a private key, `storage` if it cannot be read or the passphrase is
  ///   wrong.
  public static func read(
    _ path: String, passphrase: () throws(TrustError) -> String
  ) throws(TrustError) -> SigningKey {
    guard let bytes = try FolderFiles.read(path, atMost: greatestLength, of: path) else {
      throw TrustError(.storage, path, "there is no such file")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    var isEncrypted = false
    let key = try PrivateKeyInfo.read(pem: text, named: path) { () throws(TrustError) in
      isEncrypted = true
      return try passphrase()
    }
    do throws(TrustError) {
      return try SigningKey(pkcs8: key)
    } catch {
      // One of 256 wrong passphrases gives bytes with a valid padding, which are not a key.
      guard isEncrypted else { throw error }
      throw TrustError(.storage, path, "the passphrase is wrong")
    }
  }

  /// Writes a key to a new file.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - path: The path of the file, which must not exist.
  ///   - passphrase: Encrypts the key; nil for a key without encryption.
  /// - Throws: `storage` if the file exists or cannot be written.
  public static func write(_ key: SigningKey, to path: String, passphrase: String?) throws(TrustError) {
    let text = try PrivateKeyInfo.pem(key.pkcs8, passphrase: passphrase)
    do throws(SystemError) {
      try AtomicFile.create(Array(text.utf8), at: path)
    } catch {
      throw TrustError(
        .storage, path, error.number == EEXIST ? "the file exists" : error.diagnostic(writing: path).message)
    }
  }
}
