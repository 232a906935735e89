import StreamCore
import Testing

/// Values whose lists and maps are shared by so many places that a walk would never end.
@Suite struct SharedPartTests {
  private func doubled(_ innermost: Value, _ levels: Int = 60) -> Value {
    (0..<levels).reduce(innermost) { value, level in level % 2 == 0 ? [value, value] : ["a": value, "b": value] }
  }

  @Test("Two that are built apart are compared, and hashed")
  func equality() {
    #expect(doubled([1]) == doubled([1]))
    #expect(doubled([1]) != doubled([2]))
    #expect(doubled([1], 60) != doubled([1], 58))
    #expect(Set([doubled([1]), doubled([1])]).count == 1)
  }

  @Test("The order of a map's members does not matter")
  func order() {
    let (a, b): (Value, Value) = (["x": doubled([1]), "y": 2], ["y": 2, "x": doubled([1])])
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
  }

  @Test("Large values without shared parts differ where one of their parts does", arguments: [0, 1_500, 2_999])
  func large(_ index: Int) {
    func list(_ changed: Int?) -> Value { .list((0..<3_000).map { [.int($0 == changed ? -1 : 0), "same"] }) }
    #expect(list(nil) == list(nil))
    #expect(list(nil) != list(index))
    #expect(list(nil).hashValue != list(index).hashValue)
  }

  @Test("Equal values are equal beside others that are not, in any number")
  func mixed() {
    // Pairs that were found equal are remembered; (a, b) says nothing of (a, c).
    let (a, b, c): (Value, Value, Value) = ([1, 2], [1, 2], [1, 3])
    let many = [Value](repeating: a, count: 2_000)
    let others = [Value](repeating: b, count: 2_000)
    #expect(Value.list(many) == .list(others))
    #expect(Value.list(many + [a]) != .list(others + [c]))
  }

  @Test("Leaves are mapped once for all places of a part")
  func mapping() {
    var count = 0
    let mapped = doubled([1]).mapLeaves { leaf in
      count += 1
      return leaf == 1 ? 2 : leaf
    }
    #expect(mapped == doubled([2]))
    #expect(count < 10_000)
    let keyed: Value = [1: "x", "k": 1]
    let wanted: Value = [7: "x", "k": 7]
    #expect(keyed.mapLeaves(includesKeys: true) { $0 == 1 ? 7 : $0 } == wanted)
    #expect(([:] as Value).mapLeaves { _ in 0 } == [:])
  }

  @Test("Such a value is not saved")
  func saving() {
    #expect(throws: Diagnostic.self) { try doubled([1]).taggedForJSON }
    #expect(throws: Never.self) { try doubled([1], 10).taggedForJSON }
  }

  @Test("Values of any depth are compared, hashed and mapped, however many parts they share")
  func deepAndWide() {
    func value(_ levels: Int) -> Value {
      (0..<levels).reduce(.list(Array(repeating: [[]], count: 20_000))) { inner, _ in [inner] }
    }
    // A thread of a test counts as one with the smallest stack, which ends between these.
    for levels in [10, 40, 50, 51, 52, 53, 54, 55, 60, 500, 1_500] {
      let (a, b) = (value(levels), value(levels))
      #expect(a == b)
      #expect(a.hashValue == b.hashValue)
      #expect(a.mapLeaves { $0 } == b)
      #expect(a != value(levels + 1))
    }
  }
}
