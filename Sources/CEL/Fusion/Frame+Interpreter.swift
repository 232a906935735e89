import StreamCore

extension Frame {
  /// Runs instructions until an end; nil when the run failed, which `failure` tells about then.
  ///
  /// An instruction that has no answer breaks out of the switch, and leaves.
  func execute(_ start: UnsafePointer<Instruction>) -> ProgramOutcome? {
    let slots = slots
    let code = program.code
    var next = start
    while true {
      let i = next.pointee
      let (a, b, c) = (Int(i.a), Int(i.b), Int(i.c))
      next += 1
      step: switch i.opcode {
      case .nop: continue
      case .leave: break

      case .move:
        slots[a] = slots[b]
        continue
      case .moveValue:
        move(b, to: a)
        continue
      case .box:
        box(slots[b], i.immediate, to: a)
        continue
      case .unboxInt:
        guard case .int(let number) = values[b] else { break step }
        slots[a] = number
        continue
      case .unboxUInt:
        guard case .uint(let number) = values[b] else { break step }
        slots[a] = Int64(bitPattern: number)
        continue
      case .unboxDouble:
        guard case .double(let number) = values[b] else { break step }
        slots[a] = number.bits
        continue
      case .unboxBool:
        guard case .bool(let flag) = values[b] else { break step }
        slots[a] = flag ? 1 : 0
        continue
      case .unboxNumber:
        guard let number = values[b].asDouble else { break step }
        slots[a] = number.bits
        continue

      case .addInt:
        let (sum, overflow) = slots[b].addingReportingOverflow(slots[c])
        if overflow { break step }
        slots[a] = sum
        continue
      case .subtractInt:
        let (difference, overflow) = slots[b].subtractingReportingOverflow(slots[c])
        if overflow { break step }
        slots[a] = difference
        continue
      case .multiplyInt:
        let (product, overflow) = slots[b].multipliedReportingOverflow(by: slots[c])
        if overflow { break step }
        slots[a] = product
        continue
      case .divideInt:
        let divisor = slots[c]
        if divisor == 0 || divisor == -1 && slots[b] == .min { break step }
        slots[a] = slots[b] / divisor
        continue
      case .remainderInt:
        let divisor = slots[c]
        if divisor == 0 { break step }
        slots[a] = divisor == -1 ? 0 : slots[b] % divisor
        continue
      case .negateInt:
        if slots[b] == .min { break step }
        slots[a] = -slots[b]
        continue
      case .absoluteInt:
        if slots[b] == .min { break step }
        slots[a] = abs(slots[b])
        continue
      case .addIntK:
        let (sum, overflow) = slots[b].addingReportingOverflow(i.immediate)
        if overflow { break step }
        slots[a] = sum
        continue
      case .multiplyIntK:
        let (product, overflow) = slots[b].multipliedReportingOverflow(by: i.immediate)
        if overflow { break step }
        slots[a] = product
        continue
      case .divideIntK:
        slots[a] = slots[b] / i.immediate
        continue
      case .remainderIntK:
        slots[a] = slots[b] % i.immediate
        continue
      case .count:
        slots[a] &+= 1
        continue
      case .countValue:
        if case .int(let number) = values[a] { values[a] = .int(number &+ 1) }
        continue

      case .addUInt:
        let (sum, overflow) = uint(b).addingReportingOverflow(uint(c))
        if overflow { break step }
        slots[a] = Int64(bitPattern: sum)
        continue
      case .subtractUInt:
        let (difference, overflow) = uint(b).subtractingReportingOverflow(uint(c))
        if overflow { break step }
        slots[a] = Int64(bitPattern: difference)
        continue
      case .multiplyUInt:
        let (product, overflow) = uint(b).multipliedReportingOverflow(by: uint(c))
        if overflow { break step }
        slots[a] = Int64(bitPattern: product)
        continue
      case .divideUInt:
        if slots[c] == 0 { break step }
        slots[a] = Int64(bitPattern: uint(b) / uint(c))
        continue
      case .remainderUInt:
        if slots[c] == 0 { break step }
        slots[a] = Int64(bitPattern: uint(b) % uint(c))
        continue

      case .addDouble:
        slots[a] = (double(b) + double(c)).bits
        continue
      case .subtractDouble:
        slots[a] = (double(b) - double(c)).bits
        continue
      case .multiplyDouble:
        slots[a] = (double(b) * double(c)).bits
        continue
      case .divideDouble:
        slots[a] = (double(b) / double(c)).bits
        continue
      case .remainderDouble:
        slots[a] = double(b).truncatingRemainder(dividingBy: double(c)).bits
        continue
      case .negateDouble:
        slots[a] = (-double(b)).bits
        continue
      case .absoluteDouble:
        slots[a] = abs(double(b)).bits
        continue
      case .addDoubleK:
        slots[a] = (double(b) + i.number).bits
        continue
      case .multiplyDoubleK:
        slots[a] = (double(b) * i.number).bits
        continue
      case .divideDoubleK:
        slots[a] = (double(b) / i.number).bits
        continue
      case .squareRoot:
        slots[a] = double(b).squareRoot().bits
        continue
      case .floor:
        slots[a] = double(b).rounded(.down).bits
        continue
      case .ceiling:
        slots[a] = double(b).rounded(.up).bits
        continue
      case .round:
        slots[a] = double(b).rounded(.toNearestOrAwayFromZero).bits
        continue
      case .truncate:
        slots[a] = double(b).rounded(.towardZero).bits
        continue

      case .intToDouble:
        slots[a] = Double(slots[b]).bits
        continue
      case .uintToDouble:
        slots[a] = Double(uint(b)).bits
        continue
      case .doubleToInt:
        let number = double(b)
        guard number > -0x1p63, number < 0x1p63 else { break step }
        slots[a] = Int64(number)
        continue

      case .not:
        slots[a] = slots[b] ^ 1
        continue
      case .lessInt:
        slots[a] = slots[b] < slots[c] ? 1 : 0
        continue
      case .lessOrEqualInt:
        slots[a] = slots[b] <= slots[c] ? 1 : 0
        continue
      case .equalInt:
        slots[a] = slots[b] == slots[c] ? 1 : 0
        continue
      case .unequalInt:
        slots[a] = slots[b] != slots[c] ? 1 : 0
        continue
      case .lessIntK:
        slots[a] = slots[b] < i.immediate ? 1 : 0
        continue
      case .lessOrEqualIntK:
        slots[a] = slots[b] <= i.immediate ? 1 : 0
        continue
      case .greaterIntK:
        slots[a] = slots[b] > i.immediate ? 1 : 0
        continue
      case .greaterOrEqualIntK:
        slots[a] = slots[b] >= i.immediate ? 1 : 0
        continue
      case .equalIntK:
        slots[a] = slots[b] == i.immediate ? 1 : 0
        continue
      case .unequalIntK:
        slots[a] = slots[b] != i.immediate ? 1 : 0
        continue
      case .lessUInt:
        slots[a] = uint(b) < uint(c) ? 1 : 0
        continue
      case .lessOrEqualUInt:
        slots[a] = uint(b) <= uint(c) ? 1 : 0
        continue
      case .lessDouble:
        slots[a] = double(b) < double(c) ? 1 : 0
        continue
      case .lessOrEqualDouble:
        slots[a] = double(b) <= double(c) ? 1 : 0
        continue
      case .equalDouble:
        slots[a] = double(b) == double(c) ? 1 : 0
        continue
      case .unequalDouble:
        slots[a] = double(b) != double(c) ? 1 : 0
        continue
      case .lessDoubleK:
        slots[a] = double(b) < i.number ? 1 : 0
        continue
      case .lessOrEqualDoubleK:
        slots[a] = double(b) <= i.number ? 1 : 0
        continue
      case .greaterDoubleK:
        slots[a] = double(b) > i.number ? 1 : 0
        continue
      case .greaterOrEqualDoubleK:
        slots[a] = double(b) >= i.number ? 1 : 0
        continue
      case .equalDoubleK:
        slots[a] = double(b) == i.number ? 1 : 0
        continue
      case .unequalDoubleK:
        slots[a] = double(b) != i.number ? 1 : 0
        continue
      case .equalValue:
        guard let isEqual = plainlyEqual(b, c) else { break step }
        slots[a] = isEqual ? 1 : 0
        continue
      case .unequalValue:
        guard let isEqual = plainlyEqual(b, c) else { break step }
        slots[a] = isEqual ? 0 : 1
        continue
      case .sameValue:
        slots[a] = equal(b, c) ? 1 : 0
        continue

      case .fieldInt:
        guard let field = field(b, i), case .int(let number) = field.pointee else { break step }
        slots[a] = number
        continue
      case .fieldUInt:
        guard let field = field(b, i), case .uint(let number) = field.pointee else { break step }
        slots[a] = Int64(bitPattern: number)
        continue
      case .fieldDouble:
        guard let field = field(b, i), case .double(let number) = field.pointee else { break step }
        slots[a] = number.bits
        continue
      case .fieldBool:
        guard let field = field(b, i), case .bool(let flag) = field.pointee else { break step }
        slots[a] = flag ? 1 : 0
        continue
      case .fieldNumber:
        guard let field = field(b, i), let number = field.pointee.asDouble else { break step }
        slots[a] = number.bits
        continue
      case .fieldValue:
        guard let field = field(b, i) else { break step }
        copy(field, to: a)
        continue
      case .hasField:
        guard let place = place(b, i) else { break step }
        slots[a] = place < 0 ? 0 : 1
        continue

      case .jump:
        next = code + c
        continue
      case .branchIf:
        if slots[a] != 0 { next = code + c }
        continue
      case .branchUnless:
        if slots[a] == 0 { next = code + c }
        continue
      case .branchIfNull:
        if case .null = values[a] { next = code + c }
        continue
      case .branchUnlessValue:
        guard let flag = truth(a, i.immediate) else { return nil }
        if !flag { next = code + c }
        continue
      case .branchUnlessLessInt:
        if slots[a] >= slots[b] { next = code + c }
        continue
      case .branchUnlessLessOrEqualInt:
        if slots[a] > slots[b] { next = code + c }
        continue
      case .branchUnlessEqualInt:
        if slots[a] != slots[b] { next = code + c }
        continue
      case .branchUnlessUnequalInt:
        if slots[a] == slots[b] { next = code + c }
        continue
      case .branchUnlessLessIntK:
        if slots[a] >= i.immediate { next = code + c }
        continue
      case .branchUnlessLessOrEqualIntK:
        if slots[a] > i.immediate { next = code + c }
        continue
      case .branchUnlessGreaterIntK:
        if slots[a] <= i.immediate { next = code + c }
        continue
      case .branchUnlessGreaterOrEqualIntK:
        if slots[a] < i.immediate { next = code + c }
        continue
      case .branchUnlessEqualIntK:
        if slots[a] != i.immediate { next = code + c }
        continue
      case .branchUnlessUnequalIntK:
        if slots[a] == i.immediate { next = code + c }
        continue
      // NB: NaN is not less, and not greater either.
      case .branchUnlessLessDouble:
        if !(double(a) < double(b)) { next = code + c }
        continue
      case .branchUnlessLessOrEqualDouble:
        if !(double(a) <= double(b)) { next = code + c }
        continue
      case .branchUnlessLessDoubleK:
        if !(double(a) < i.number) { next = code + c }
        continue
      case .branchUnlessLessOrEqualDoubleK:
        if !(double(a) <= i.number) { next = code + c }
        continue
      case .branchUnlessGreaterDoubleK:
        if !(double(a) > i.number) { next = code + c }
        continue
      case .branchUnlessGreaterOrEqualDoubleK:
        if !(double(a) >= i.number) { next = code + c }
        continue
      case .branchUnlessMultiple:
        if slots[a] & i.immediate != 0 { next = code + c }
        continue
      case .branchIfMultiple:
        if slots[a] & i.immediate == 0 { next = code + c }
        continue
      case .branchUnlessRemainderEqualK:
        if slots[a] % (i.immediate >> 32) != Int64(Int32(truncatingIfNeeded: i.immediate)) { next = code + c }
        continue
      case .branchUnlessRemainderUnequalK:
        if slots[a] % (i.immediate >> 32) == Int64(Int32(truncatingIfNeeded: i.immediate)) { next = code + c }
        continue

      case .prepare:
        prepare(i.immediate)
        continue
      case .bindSlot:
        bind((Scalar(rawValue: UInt8(truncatingIfNeeded: c)) ?? .int).value(slots[b]), at: i.immediate)
        continue
      case .bindValue:
        bind(values[b], at: i.immediate)
        continue
      case .callInt, .callDouble, .callBool, .callValue:
        if !call(i) { break step }
        continue
      case .charge:
        continue
      case .evaluate:
        if evaluate(i) { continue }
        if !isGeneric { _ = leave(next - 1) }
        return nil

      case .emit:
        outputBits = slots[a]
        outputScalar = Scalar(rawValue: UInt8(truncatingIfNeeded: b))
        return ProgramOutcome(rawValue: UInt8(truncatingIfNeeded: c))
      case .emitValue:
        outputScalar = nil
        move(a, to: program.tables.valueCount)
        return ProgramOutcome(rawValue: UInt8(truncatingIfNeeded: c))
      case .end: return ProgramOutcome(rawValue: UInt8(truncatingIfNeeded: c))
      case .limitDepth:
        if slots[b] & 15 == 15, isTooDeep(i) {
          if !isGeneric { _ = leave(next - 1) }
          return nil
        }
        continue
      }
      next = leave(next - 1)
    }
  }

  @inline(__always)
  private func double(_ slot: Int) -> Double { Double(bitPattern: UInt64(bitPattern: slots[slot])) }

  @inline(__always)
  private func uint(_ slot: Int) -> UInt64 { UInt64(bitPattern: slots[slot]) }

  /// The truth in a boxed register, or nil, with the failure noted.
  @inline(never)
  private func truth(_ register: Int, _ site: Int64) -> Bool? {
    if case .bool(let flag) = values[register] { return flag }
    failure = ProgramFailure(.noBool(values[register]), site: Int(site))
    return nil
  }

  // MARK: Fields

  /// The place of a field in the record, -1 for none; nil for what is no map.
  @inline(__always)
  private func place(_ register: Int, _ instruction: Instruction) -> Int? {
    let cache = Int(instruction.immediate)
    if case .map(let map) = values[register], map.shape === caches[cache].shape { return caches[cache].place }
    return find(register, cache)
  }

  /// Where the field is; nil when there is none. Holds as long as the record stays in its register.
  @inline(__always)
  private func field(_ register: Int, _ instruction: Instruction) -> UnsafePointer<Value>? {
    guard let place = place(register, instruction), place >= 0, case .map(let map) = values[register] else {
      return nil
    }
    return map.slots.withUnsafeBufferPointer { $0.baseAddress.map { $0 + place } }
  }

  @inline(never)
  private func copy(_ source: UnsafePointer<Value>, to register: Int) { values[register] = source.pointee }
}

extension Instruction {
  /// The constant, as a double.
  @inline(__always)
  fileprivate var number: Double { Double(bitPattern: UInt64(bitPattern: immediate)) }
}
