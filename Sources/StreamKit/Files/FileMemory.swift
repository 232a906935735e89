@_spi(Engine) internal import StreamCore

/// The bytes read from a file, with padding after them.
final class FileMemory {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = 0

  init() { bytes = Self.allocate(0) }

  deinit { bytes.deallocate() }

  /// Replaces the contents with two ranges of bytes. The first may be part of the current contents.
  func hold(_ first: UnsafeBufferPointer<UInt8>, _ more: UnsafeBufferPointer<UInt8>) {
    let count = first.count + more.count
    var target = bytes
    if count > capacity {
      capacity = max(count, 2 * capacity)
      target = Self.allocate(capacity)
    }
    if let base = first.baseAddress, base != target { target.update(from: base, count: first.count) }
    if let base = more.baseAddress { (target + first.count).update(from: base, count: more.count) }
    (target + count).update(repeating: 0, count: PaddedBytes.padding)
    if target != bytes { bytes.deallocate() }
    bytes = target
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + PaddedBytes.padding)
    bytes.initialize(repeating: 0, count: capacity + PaddedBytes.padding)
    return bytes
  }
}
