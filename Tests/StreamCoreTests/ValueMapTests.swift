@_spi(Engine) import StreamCore
import Testing

@Suite struct ValueMapTests {
  private struct Refusal: Error {}

  private let shape = Shape(names: ["a", "b", "c"])

  @Test func aMapIsTheSameHoweverItsSlotsAreFilled() {
    let slots: [Value] = [1, "a string that is too long to stand within the string itself", [2, 3]]
    let copied = ValueMap(shape: shape, slots: slots)
    let filled = ValueMap(shape: shape) { slots[$0] }
    var moving = slots
    let moved = ValueMap(shape: shape, moving: &moving)
    #expect(moving.isEmpty)
    for map in [copied, filled, moved] {
      #expect(Array(map.slots) == slots)
      #expect(map == copied && map.hashValue == copied.hashValue)
      #expect(map["b"] == slots[1] && map[.string("c")] == [2, 3] && map["d"] == nil)
      #expect(map.pairs.map(\.0) == ["a", "b", "c"])
    }
  }

  /// The filled slots are released: otherwise this test leaks under a leak checker, or crashes.
  @Test func whatFailsOnTheWayLeavesNoMap() {
    let text = Value.string(String(repeating: "x", count: 40))
    #expect(throws: Refusal.self) {
      try ValueMap(shape: shape) { place throws(Refusal) in
        if place == 2 { throw Refusal() }
        return text
      }
    }
  }

  @Test func changingACopyLeavesTheOther() {
    let first = ValueMap(shape: shape, slots: [1, 2, 3])
    var second = first
    second.slots[1] = "two"
    second.slots[2] = .list([])
    #expect(Array(first.slots) == [1, 2, 3])
    #expect(Array(second.slots) == [1, "two", []])
    #expect(second.shape === first.shape && first != second)
    var slots = first.slots
    slots[0] = 0
    #expect(first["a"] == 1 && slots[0] == 0)
  }

  @Test func theOneWhoHoldsItAloneChangesItInPlace() {
    var map = ValueMap(shape: shape, slots: [1, 2, 3])
    let place = map.slots.withContiguousStorageIfAvailable(\.baseAddress)
    for number in 0..<10 { map.slots[number % 3] = .int(Int64(number)) }
    let later = map.slots.withContiguousStorageIfAvailable(\.baseAddress)
    #expect(place == later)
    #expect(Array(map.slots) == [9, 7, 8])
  }

  @Test func mapsWithoutKeysAreEqual() {
    let maps = [ValueMap(), ValueMap([]), ValueMap(shape: Shape([]), slots: []), ValueMap(shape: Shape([])) { _ in 1 }]
    for map in maps {
      #expect(map.isEmpty && map == maps[0] && map.slots.isEmpty && map.keys.isEmpty)
    }
  }

  /// Fused programs read records without counting them, and rely on this.
  @Test func aMapIsTheFirstWordOfItsValue() {
    let map = ValueMap(shape: shape, slots: [1, 2, 3])
    let values: [Value] = [.map(map), .list([]), .null, "text", 3, .duration(.seconds(1))]
    values.withUnsafeBufferPointer { values in
      let records = values.indices.map { place in values.baseAddress.flatMap { ($0 + place).record?.toOpaque() } }
      #expect(records == [Unmanaged.passUnretained(map.body).toOpaque()] + Array(repeating: nil, count: 5))
    }
  }
}
