// CryptoKit's SHA-256, for macOS as the target of the compiler.
public struct SHA256Digest: Sequence {
  public func makeIterator() -> [UInt8].Iterator { [].makeIterator() }
}

public struct SHA256 {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}
