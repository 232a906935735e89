import Testing

@testable import StreamCore

/// Programs copy values as words: a payload of two words, then a byte that distinguishes the cases.
@Suite("The layout of a value, on which unsafe code relies")
struct ValueLayoutTests {
  @Test("A value is two words and a byte")
  func size() {
    #expect(MemoryLayout<Value>.size == 17)
    #expect(MemoryLayout<Value>.stride == 24)
  }

  @Test("The reference to a record is the first word of its value")
  func record() {
    var value: Value = ["a": 1]
    let found = withUnsafePointer(to: &value) { $0.record?.toOpaque() }
    guard case .map(let map) = value else { return }
    let expected = unsafeBitCast(map, to: UnsafeMutableRawPointer.self)
    #expect(found == expected)
  }
}
