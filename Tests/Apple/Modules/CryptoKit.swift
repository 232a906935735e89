// CryptoKit, whose interface swift-crypto has.
@_exported import Crypto
