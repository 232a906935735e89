// Operations on unboxed slots. `then` continues at the next operation, with the result as an argument.

extension Cursor {
  // MARK: Kernels of slots, or of a slot and the constant (K)

  @inline(__always)
  func compute(_ kernel: (Int64) -> Int64) -> Int { write(kernel(left)) }

  @inline(__always)
  func compute(
    _ kernel: (Int64, Int64) -> Int64, then: (Cursor, Int64) -> Int = { next, _ in next.run() }
  ) -> Int {
    write((kernel(left, right), false), then: then)
  }

  @inline(__always)
  func compute(_ kernel: (Int64, Int64) -> Bool) -> Int { write(kernel(left, right)) }

  @inline(__always)
  func compute(_ kernel: (Int64) -> Kernel.Checked) -> Int { write(kernel(left)) }

  @inline(__always)
  func compute(
    _ kernel: (Int64, Int64) -> Kernel.Checked, then: (Cursor, Int64) -> Int = { next, _ in next.run() }
  ) -> Int {
    write(kernel(left, right), then: then)
  }

  @inline(__always)
  func computeK(_ kernel: (Int64, Int64) -> Int64) -> Int { write(kernel(left, immediate)) }

  @inline(__always)
  func computeK(_ kernel: (Int64, Int64) -> Bool) -> Int { write(kernel(left, immediate)) }

  @inline(__always)
  func computeK(
    _ kernel: (Int64, Int64) -> Kernel.Checked, then: (Cursor, Int64) -> Int = { next, _ in next.run() }
  ) -> Int {
    write(kernel(left, immediate), then: then)
  }

  @inline(__always)
  func computeK(_ kernel: (Int64, Constant) -> Int64) -> Int { write(kernel(left, operation.pointee.constant)) }

  @inline(__always)
  private func write(
    _ result: Kernel.Checked, then: (Cursor, Int64) -> Int = { next, _ in next.run() }
  ) -> Int {
    if result.overflow { return leave() }
    slots[a] = result.partialValue
    return then(next, result.partialValue)
  }

  // MARK: Slots

  @inline(__always)
  func count() -> Int { counted.runOrEnd() }

  @inline(__always) var isCount: Bool { operation.pointee.opcode == .count }

  /// The cursor at the next operation, after the slot is counted up.
  @inline(__always)
  var counted: Cursor {
    slots[a] &+= 1
    return next
  }

  @inline(__always)
  func move() -> Int { move(left) }

  /// - Parameter bits: The content of the source slot.
  @inline(__always)
  func move(_ bits: Int64) -> Int {
    slots[a] = bits
    return next.runOrEnd()
  }

  // MARK: Branches

  /// Continues at the next operation if the condition is true; jumps otherwise.
  @inline(__always)
  func branch(unless isTrue: Bool) -> Int { isTrue ? proceed() : jump() }

  @inline(__always)
  func branch(_ kernel: (Int64) -> Bool) -> Int { branch(unless: kernel(slots[a])) }

  @inline(__always)
  func branch(_ kernel: (Int64, Int64) -> Bool) -> Int { branch(unless: kernel(slots[a], left)) }

  @inline(__always)
  func branchK(_ kernel: (Int64, Int64) -> Bool) -> Int { branch(unless: kernel(slots[a], immediate)) }

  @inline(__always)
  func branchK(_ kernel: (Int64, Constant) -> Bool) -> Int {
    branch(unless: kernel(slots[a], operation.pointee.constant))
  }

  // MARK: Branches on the previous result, often followed by a count

  @inline(__always)
  func testK(_ bits: Int64, _ kernel: (Int64, Int64) -> Bool) -> Int { test(kernel(bits, immediate)) }

  @inline(__always)
  func testK(_ bits: Int64, _ kernel: (Int64, Constant) -> Bool) -> Int {
    test(kernel(bits, operation.pointee.constant))
  }

  @inline(__always)
  private func test(_ isTrue: Bool) -> Int {
    if !isTrue { return jump() }
    return next.isCount ? next.counted.run() : proceed()
  }
}
