import CEL
import StreamCore

// Operations on boxed registers. NB: Values are read in place, without reference counting.

extension Cursor {
  /// The boxed registers.
  @inline(__always)
  var values: UnsafeMutablePointer<Value> { frame._withUnsafeGuaranteedRef { $0.values } }

  /// Performs an action on the frame, and continues.
  @inline(__always)
  func perform(_ body: (ProgramInstance, Cursor) -> Void) -> Int {
    frame._withUnsafeGuaranteedRef { body($0, self) }
    return proceed()
  }

  /// Performs an action on the frame, and continues; takes the side exit if the action returns false.
  @inline(__always)
  func attempt(_ body: (ProgramInstance, Cursor) -> Bool) -> Int {
    frame._withUnsafeGuaranteedRef { body($0, self) } ? proceed() : leave()
  }

  /// Performs an action on the frame, and continues; fails if the action returns false.
  @inline(__always)
  func attemptOrFail(_ body: (ProgramInstance, Cursor) -> Bool) -> Int {
    frame._withUnsafeGuaranteedRef { body($0, self) } ? proceed() : failHere()
  }

  // MARK: Unboxing

  @inline(__always)
  func unbox(_ read: (UnsafePointer<Value>) -> Int64?) -> Int { write(ifAny: read(UnsafePointer(values + b))) }

  /// Writes the scalar in the field that the operation names.
  @inline(__always)
  func field(_ read: (UnsafePointer<Value>) -> Int64?) -> Int {
    guard let field = frame._withUnsafeGuaranteedRef({ $0.knownField(b, immediate) }), let bits = read(field) else {
      return lookAgain()
    }
    return write(bits)
  }

  @inline(__always)
  func fieldValue() -> Int {
    guard let field = frame._withUnsafeGuaranteedRef({ $0.knownField(b, immediate) }) else { return lookAgain() }
    return perform { $0.copy(field, to: $1.a) }
  }

  /// Retries after caching another shape, or takes the side exit.
  @inline(never)
  private func lookAgain() -> Int {
    frame._withUnsafeGuaranteedRef { $0.learnField(b, immediate) } ? run() : leave()
  }

  @inline(__always)
  func hasField() -> Int {
    guard let place = frame._withUnsafeGuaranteedRef({ $0.place(b, immediate) }) else { return leave() }
    return write(place >= 0)
  }

  // MARK: Rows by key

  @inline(__always)
  func enterIntRow() -> Int {
    let key = slots[a]
    return frame._withUnsafeGuaranteedRef { $0.isInRow(of: key) } ? proceed() : lookForRow(of: key)
  }

  @inline(never)
  private func lookForRow(of key: Int64) -> Int {
    proceed(in: frame._withUnsafeGuaranteedRef { $0.enterRow(of: key, site: immediate) })
  }

  @inline(never)
  func enterRow() -> Int {
    proceed(in: frame._withUnsafeGuaranteedRef { $0.enterRow(of: $0.values[a], site: immediate) })
  }

  @inline(__always)
  private func proceed(in entry: RowEntry) -> Int {
    switch entry {
    case .open: proceed()
    case .closed: jump()
    case .mismatched: leave()
    case .refused: failHere()
    }
  }

  // MARK: Comparing

  @inline(__always)
  func equalValues(_ isNegated: Bool) -> Int {
    guard let isEqual = frame._withUnsafeGuaranteedRef({ $0.plainlyEqual(b, c) }) else { return leave() }
    return write(isEqual != isNegated)
  }

  @inline(__always)
  func sameValues() -> Int { write(frame._withUnsafeGuaranteedRef { $0.equal(b, c) }) }

  // MARK: Branches

  @inline(__always)
  func branchIfNull() -> Int {
    if case .null = UnsafePointer(values + a).pointee { return jump() }
    return proceed()
  }

  @inline(__always)
  func branchUnlessTrue() -> Int {
    guard let flag = frame._withUnsafeGuaranteedRef({ $0.truth(a, immediate) }) else { return fail() }
    return branch(unless: flag)
  }

  @inline(__always)
  func limitDepth() -> Int {
    attemptOrFail { $1.left & 15 != 15 || !$0.isTooDeep($1.operation.pointee) }
  }
}

/// Scalars as the bits of a slot; nil if the value has another type.
extension UnsafePointer<Value> {
  @inline(__always)
  var int: Int64? {
    if case .int(let number) = pointee { return number }
    return nil
  }

  @inline(__always)
  var uint: Int64? {
    if case .uint(let number) = pointee { return Int64(bitPattern: number) }
    return nil
  }

  @inline(__always)
  var double: Int64? {
    if case .double(let number) = pointee { return number.bits }
    return nil
  }

  @inline(__always)
  var bool: Int64? {
    if case .bool(let flag) = pointee { return flag ? 1 : 0 }
    return nil
  }

  /// A number of any type, as the bits of a double.
  @inline(__always)
  var number: Int64? {
    if case .double(let number) = pointee { return number.bits }
    return pointee.asDouble?.bits
  }
}
