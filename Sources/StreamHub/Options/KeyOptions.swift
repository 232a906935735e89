internal import ArgumentParser
internal import StreamSharing

/// The options of commands that sign.
struct KeyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of the private keys.", valueName: "folder"))
  var keys = "keys"

  @Option(
    help: ArgumentHelp(
      "A file whose first line is the passphrase of the keys. Default: the variable \(PassphraseReader.variable), or a "
        + "question on the terminal.", valueName: "path"))
  var passphraseFile: String?

  var folder: KeyFolder { KeyFolder(path: keys, passphrases: PassphraseReader(file: passphraseFile)) }
}

/// The options of commands that create keys.
struct NewKeyOptions: ParsableArguments {
  @Option(help: "The kind of new keys: ed25519, ecdsa-sha2-nistp256 or rsassa-pss-sha256.")
  var scheme = Kind.ed25519

  /// The kinds of keys.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case ed25519
    case p256 = "ecdsa-sha2-nistp256"
    case rsaPSS = "rsassa-pss-sha256"
  }

  @Flag(help: "Writes new keys without encryption.")
  var noPassphrase = false
}

extension NewKeyOptions {
  /// Generates a key of the wanted kind.
  func generate() throws(TrustError) -> SigningKey {
    switch scheme {
    case .ed25519: try SigningKey.generate(.ed25519)
    case .p256: try SigningKey.generate(.p256)
    case .rsaPSS: try SigningKey.generate(.rsaPSS)
    }
  }

  /// Generates keys of the wanted kind.
  func generate(_ count: Int) throws(TrustError) -> [SigningKey] {
    var keys: [SigningKey] = []
    for _ in 0..<count { keys.append(try generate()) }
    return keys
  }
}
