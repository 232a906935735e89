import StreamCore
import Testing

@Suite struct ValueDepthTests {
  private func nested(_ levels: Int) -> Value {
    (0..<levels).reduce(1) { value, level in level % 2 == 0 ? .list([value]) : ["a": value] }
  }

  @Test("Depth is exact", arguments: [0, 1, 2, 5, 100])
  func exact(_ levels: Int) {
    let value = nested(levels)
    #expect(!value.isDeeper(than: levels))
    #expect(levels == 0 || value.isDeeper(than: levels - 1))
  }

  @Test("A value that doubles at every level is visited once per level")
  func doubling() {
    var value: Value = []
    for _ in 0..<60 { value = [value, value] }
    #expect(value.isDeeper(than: 30))
    #expect(!value.isDeeper(than: 100))
  }

  @Test("Values of any depth are released on a small stack")
  func releasesDeepValues() {
    var lists: Value = 1
    for _ in 0..<100_000 { lists = [lists] }
    var maps: Value = 1
    for _ in 0..<100_000 { maps = ["a": maps] }
    var both: [Value] = [lists, maps, nested(100_000)]
    (lists, maps) = (1, 1)
    let isDone = DeepStack.onThread(stackBytes: 512 * 1024) { both = [] }
    #expect(isDone && both.isEmpty)
  }
}
