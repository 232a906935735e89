// Operations on unboxed slots.

extension Cursor {
  // MARK: Kernels of slots, or of a slot and the constant (K)

  @inline(__always)
  func compute(_ kernel: (Int64) -> Int64) -> Int { write(kernel(left)) }

  @inline(__always)
  func compute(_ kernel: (Int64, Int64) -> Int64) -> Int { write(kernel(left, right)) }

  @inline(__always)
  func compute(_ kernel: (Int64, Int64) -> Bool) -> Int { write(kernel(left, right)) }

  @inline(__always)
  func compute(_ kernel: (Int64) -> Kernel.Checked) -> Int { write(kernel(left)) }

  @inline(__always)
  func compute(_ kernel: (Int64, Int64) -> Kernel.Checked) -> Int { write(kernel(left, right)) }

  @inline(__always)
  func computeK(_ kernel: (Int64, Int64) -> Int64) -> Int { write(kernel(left, immediate)) }

  @inline(__always)
  func computeK(_ kernel: (Int64, Int64) -> Bool) -> Int { write(kernel(left, immediate)) }

  @inline(__always)
  func computeK(_ kernel: (Int64, Int64) -> Kernel.Checked) -> Int { write(kernel(left, immediate)) }

  @inline(__always)
  func computeK(_ kernel: (Int64, Constant) -> Int64) -> Int { write(kernel(left, operation.pointee.constant)) }

  @inline(__always)
  private func write(_ result: Kernel.Checked) -> Int {
    if result.overflow { return leave() }
    return write(result.partialValue)
  }

  // MARK: Slots

  @inline(__always)
  func count() -> Int {
    slots[a] &+= 1
    return next.runOrEnd()
  }

  @inline(__always)
  func move() -> Int {
    slots[a] = left
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
}
