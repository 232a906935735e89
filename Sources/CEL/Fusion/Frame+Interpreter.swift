import StreamCore

extension Frame {
  // The file is long because a switch cannot be divided: one jump has to lead to every instruction.

  /// Runs instructions until an end; where that is a failure, `failure` tells which.
  ///
  /// An instruction that has no answer breaks out of the switch, and leaves.
  @inline(__always)
  func execute<Runs: RunDelivery>(_ start: UnsafePointer<Instruction>, _ runs: inout Runs) -> End {
    let slots = slots
    let code = code
    var next = start
    while true {
      let i = next
      next += 1
      leaving: do {
        switch i.opcode {
        case .nop: continue
        case .leave: break leaving

        case .move:
          slots[i.a] = slots[i.b]
          continue
        case .moveValue:
          move(i.b, to: i.a)
          continue
        case .box:
          box(slots[i.b], i.immediate, to: i.a)
          continue
        case .unboxInt:
          guard case .int(let number) = values[i.b] else { break leaving }
          slots[i.a] = number
          continue
        case .unboxUInt:
          guard case .uint(let number) = values[i.b] else { break leaving }
          slots[i.a] = Int64(bitPattern: number)
          continue
        case .unboxDouble:
          guard case .double(let number) = values[i.b] else { break leaving }
          slots[i.a] = number.bits
          continue
        case .unboxBool:
          guard case .bool(let flag) = values[i.b] else { break leaving }
          slots[i.a] = flag ? 1 : 0
          continue
        case .unboxNumber:
          guard let number = values[i.b].asDouble else { break leaving }
          slots[i.a] = number.bits
          continue

        case .addInt:
          let (sum, overflow) = slots[i.b].addingReportingOverflow(slots[i.c])
          if overflow { break leaving }
          slots[i.a] = sum
          continue
        case .subtractInt:
          let (difference, overflow) = slots[i.b].subtractingReportingOverflow(slots[i.c])
          if overflow { break leaving }
          slots[i.a] = difference
          continue
        case .multiplyInt:
          let (product, overflow) = slots[i.b].multipliedReportingOverflow(by: slots[i.c])
          if overflow { break leaving }
          slots[i.a] = product
          continue
        case .divideInt:
          let divisor = slots[i.c]
          if divisor == 0 || divisor == -1 && slots[i.b] == .min { break leaving }
          slots[i.a] = slots[i.b] / divisor
          continue
        case .remainderInt:
          let divisor = slots[i.c]
          if divisor == 0 { break leaving }
          slots[i.a] = divisor == -1 ? 0 : slots[i.b] % divisor
          continue
        case .negateInt:
          if slots[i.b] == .min { break leaving }
          slots[i.a] = -slots[i.b]
          continue
        case .absoluteInt:
          if slots[i.b] == .min { break leaving }
          slots[i.a] = abs(slots[i.b])
          continue
        case .addIntK:
          let (sum, overflow) = slots[i.b].addingReportingOverflow(i.immediate)
          if overflow { break leaving }
          slots[i.a] = sum
          continue
        case .multiplyIntK:
          let (product, overflow) = slots[i.b].multipliedReportingOverflow(by: i.immediate)
          if overflow { break leaving }
          slots[i.a] = product
          continue
        case .divideIntK:
          slots[i.a] = slots[i.b] / i.immediate
          continue
        case .remainderIntK:
          slots[i.a] = slots[i.b] % i.immediate
          continue
        case .count:
          slots[i.a] &+= 1
          continue
        case .countValue:
          if case .int(let number) = values[i.a] { values[i.a] = .int(number &+ 1) }
          continue

        case .addUInt:
          let (sum, overflow) = uint(i.b).addingReportingOverflow(uint(i.c))
          if overflow { break leaving }
          slots[i.a] = Int64(bitPattern: sum)
          continue
        case .subtractUInt:
          let (difference, overflow) = uint(i.b).subtractingReportingOverflow(uint(i.c))
          if overflow { break leaving }
          slots[i.a] = Int64(bitPattern: difference)
          continue
        case .multiplyUInt:
          let (product, overflow) = uint(i.b).multipliedReportingOverflow(by: uint(i.c))
          if overflow { break leaving }
          slots[i.a] = Int64(bitPattern: product)
          continue
        case .divideUInt:
          if slots[i.c] == 0 { break leaving }
          slots[i.a] = Int64(bitPattern: uint(i.b) / uint(i.c))
          continue
        case .remainderUInt:
          if slots[i.c] == 0 { break leaving }
          slots[i.a] = Int64(bitPattern: uint(i.b) % uint(i.c))
          continue

        case .addDouble:
          slots[i.a] = (double(i.b) + double(i.c)).bits
          continue
        case .subtractDouble:
          slots[i.a] = (double(i.b) - double(i.c)).bits
          continue
        case .multiplyDouble:
          slots[i.a] = (double(i.b) * double(i.c)).bits
          continue
        case .divideDouble:
          slots[i.a] = (double(i.b) / double(i.c)).bits
          continue
        case .remainderDouble:
          slots[i.a] = double(i.b).truncatingRemainder(dividingBy: double(i.c)).bits
          continue
        case .negateDouble:
          slots[i.a] = (-double(i.b)).bits
          continue
        case .absoluteDouble:
          slots[i.a] = abs(double(i.b)).bits
          continue
        case .addDoubleK:
          slots[i.a] = (double(i.b) + i.number).bits
          continue
        case .multiplyDoubleK:
          slots[i.a] = (double(i.b) * i.number).bits
          continue
        case .divideDoubleK:
          slots[i.a] = (double(i.b) / i.number).bits
          continue
        case .squareRoot:
          slots[i.a] = double(i.b).squareRoot().bits
          continue
        case .floor:
          slots[i.a] = double(i.b).rounded(.down).bits
          continue
        case .ceiling:
          slots[i.a] = double(i.b).rounded(.up).bits
          continue
        case .round:
          slots[i.a] = double(i.b).rounded(.toNearestOrAwayFromZero).bits
          continue
        case .truncate:
          slots[i.a] = double(i.b).rounded(.towardZero).bits
          continue

        case .intToDouble:
          slots[i.a] = Double(slots[i.b]).bits
          continue
        case .uintToDouble:
          slots[i.a] = Double(uint(i.b)).bits
          continue
        case .doubleToInt:
          let number = double(i.b)
          guard number > -0x1p63, number < 0x1p63 else { break leaving }
          slots[i.a] = Int64(number)
          continue

        case .not:
          slots[i.a] = slots[i.b] ^ 1
          continue
        case .lessInt:
          slots[i.a] = slots[i.b] < slots[i.c] ? 1 : 0
          continue
        case .lessOrEqualInt:
          slots[i.a] = slots[i.b] <= slots[i.c] ? 1 : 0
          continue
        case .equalInt:
          slots[i.a] = slots[i.b] == slots[i.c] ? 1 : 0
          continue
        case .unequalInt:
          slots[i.a] = slots[i.b] != slots[i.c] ? 1 : 0
          continue
        case .lessIntK:
          slots[i.a] = slots[i.b] < i.immediate ? 1 : 0
          continue
        case .lessOrEqualIntK:
          slots[i.a] = slots[i.b] <= i.immediate ? 1 : 0
          continue
        case .greaterIntK:
          slots[i.a] = slots[i.b] > i.immediate ? 1 : 0
          continue
        case .greaterOrEqualIntK:
          slots[i.a] = slots[i.b] >= i.immediate ? 1 : 0
          continue
        case .equalIntK:
          slots[i.a] = slots[i.b] == i.immediate ? 1 : 0
          continue
        case .unequalIntK:
          slots[i.a] = slots[i.b] != i.immediate ? 1 : 0
          continue
        case .lessUInt:
          slots[i.a] = uint(i.b) < uint(i.c) ? 1 : 0
          continue
        case .lessOrEqualUInt:
          slots[i.a] = uint(i.b) <= uint(i.c) ? 1 : 0
          continue
        case .lessDouble:
          slots[i.a] = double(i.b) < double(i.c) ? 1 : 0
          continue
        case .lessOrEqualDouble:
          slots[i.a] = double(i.b) <= double(i.c) ? 1 : 0
          continue
        case .equalDouble:
          slots[i.a] = double(i.b) == double(i.c) ? 1 : 0
          continue
        case .unequalDouble:
          slots[i.a] = double(i.b) != double(i.c) ? 1 : 0
          continue
        case .lessDoubleK:
          slots[i.a] = double(i.b) < i.number ? 1 : 0
          continue
        case .lessOrEqualDoubleK:
          slots[i.a] = double(i.b) <= i.number ? 1 : 0
          continue
        case .greaterDoubleK:
          slots[i.a] = double(i.b) > i.number ? 1 : 0
          continue
        case .greaterOrEqualDoubleK:
          slots[i.a] = double(i.b) >= i.number ? 1 : 0
          continue
        case .equalDoubleK:
          slots[i.a] = double(i.b) == i.number ? 1 : 0
          continue
        case .unequalDoubleK:
          slots[i.a] = double(i.b) != i.number ? 1 : 0
          continue
        case .equalValue:
          guard let isEqual = plainlyEqual(i.b, i.c) else { break leaving }
          slots[i.a] = isEqual ? 1 : 0
          continue
        case .unequalValue:
          guard let isEqual = plainlyEqual(i.b, i.c) else { break leaving }
          slots[i.a] = isEqual ? 0 : 1
          continue
        case .sameValue:
          slots[i.a] = equal(i.b, i.c) ? 1 : 0
          continue

        case .fieldInt:
          guard let field = field(i.b, i.immediate), case .int(let number) = field.pointee else { break leaving }
          slots[i.a] = number
          continue
        case .fieldUInt:
          guard let field = field(i.b, i.immediate), case .uint(let number) = field.pointee else { break leaving }
          slots[i.a] = Int64(bitPattern: number)
          continue
        case .fieldDouble:
          guard let field = field(i.b, i.immediate), case .double(let number) = field.pointee else { break leaving }
          slots[i.a] = number.bits
          continue
        case .fieldBool:
          guard let field = field(i.b, i.immediate), case .bool(let flag) = field.pointee else { break leaving }
          slots[i.a] = flag ? 1 : 0
          continue
        case .fieldNumber:
          guard let field = field(i.b, i.immediate), let number = field.pointee.asDouble else { break leaving }
          slots[i.a] = number.bits
          continue
        case .fieldValue:
          guard let field = field(i.b, i.immediate) else { break leaving }
          copy(field, to: i.a)
          continue
        case .hasField:
          guard let place = place(i.b, i.immediate) else { break leaving }
          slots[i.a] = place < 0 ? 0 : 1
          continue

        case .rowInt:
          guard let cell = rowCell(i.immediate), case .int = cell.pointee.kind else { break leaving }
          slots[i.a] = cell.pointee.bits
          continue
        case .rowDouble:
          guard let cell = rowCell(i.immediate), case .double = cell.pointee.kind else { break leaving }
          slots[i.a] = cell.pointee.bits
          continue
        case .rowBool:
          guard let cell = rowCell(i.immediate), case .bool = cell.pointee.kind else { break leaving }
          slots[i.a] = cell.pointee.bits
          continue
        case .rowNumber:
          guard let cell = rowCell(i.immediate), let number = cell.pointee.number else { break leaving }
          slots[i.a] = number.bits
          continue
        case .rowValue:
          guard let cell = rowCell(i.immediate), cell.pointee.isThere else { break leaving }
          putRowField(Int(i.immediate), in: i.a)
          continue
        case .needRowField:
          guard let cell = rowCell(i.immediate), cell.pointee.isThere else { break leaving }
          continue
        case .hasRowField:
          guard let cell = rowCell(i.immediate) else { break leaving }
          slots[i.a] = cell.pointee.isThere ? 1 : 0
          continue

        case .record:
          makeRecord(i.immediate, in: i.a)
          continue

        case .jump:
          break
        case .branchIf:
          if slots[i.a] == 0 { continue }
        case .branchUnless:
          if slots[i.a] != 0 { continue }
        case .branchIfNull:
          guard case .null = values[i.a] else { continue }
        case .branchUnlessValue:
          guard let flag = truth(i.a, i.immediate) else { return .failed }
          if flag { continue }
        case .branchUnlessLessInt:
          if slots[i.a] < slots[i.b] { continue }
        case .branchUnlessLessOrEqualInt:
          if slots[i.a] <= slots[i.b] { continue }
        case .branchUnlessEqualInt:
          if slots[i.a] == slots[i.b] { continue }
        case .branchUnlessUnequalInt:
          if slots[i.a] != slots[i.b] { continue }
        case .branchUnlessLessIntK:
          if slots[i.a] < i.immediate { continue }
        case .branchUnlessLessOrEqualIntK:
          if slots[i.a] <= i.immediate { continue }
        case .branchUnlessGreaterIntK:
          if slots[i.a] > i.immediate { continue }
        case .branchUnlessGreaterOrEqualIntK:
          if slots[i.a] >= i.immediate { continue }
        case .branchUnlessEqualIntK:
          if slots[i.a] == i.immediate { continue }
        case .branchUnlessUnequalIntK:
          if slots[i.a] != i.immediate { continue }
        // NB: NaN is not less, and not greater either.
        case .branchUnlessLessDouble:
          if double(i.a) < double(i.b) { continue }
        case .branchUnlessLessOrEqualDouble:
          if double(i.a) <= double(i.b) { continue }
        case .branchUnlessLessDoubleK:
          if double(i.a) < i.number { continue }
        case .branchUnlessLessOrEqualDoubleK:
          if double(i.a) <= i.number { continue }
        case .branchUnlessGreaterDoubleK:
          if double(i.a) > i.number { continue }
        case .branchUnlessGreaterOrEqualDoubleK:
          if double(i.a) >= i.number { continue }
        case .branchUnlessMultiple:
          if slots[i.a] & i.immediate == 0 { continue }
        case .branchIfMultiple:
          if slots[i.a] & i.immediate != 0 { continue }
        case .branchUnlessRemainderEqualK:
          if slots[i.a] % (i.immediate >> 32) == Int64(Int32(truncatingIfNeeded: i.immediate)) { continue }
        case .branchUnlessRemainderUnequalK:
          if slots[i.a] % (i.immediate >> 32) != Int64(Int32(truncatingIfNeeded: i.immediate)) { continue }

        case .prepare:
          prepare(i.immediate)
          continue
        case .bindSlot:
          bind((Scalar(rawValue: UInt8(truncatingIfNeeded: i.c)) ?? .int).value(slots[i.b]), at: i.immediate)
          continue
        case .bindValue:
          bind(values[i.b], at: i.immediate)
          continue
        case .callInt, .callDouble, .callBool, .callValue:
          if !call(i.pointee) { break leaving }
          continue
        case .charge:
          if !charge(slots[i.b]) { break leaving }
          continue
        case .evaluate:
          if evaluate(i.pointee) { continue }
          if !isGeneric { _ = leave(i) }
          return .failed
        case .apply:
          if apply(i.pointee) { continue }
          if !isGeneric { _ = leave(i) }
          return .failed

        case .emit:
          outputBits = slots[i.a]
          outputKind = UInt8(truncatingIfNeeded: i.b)
          let end = End(code: UInt8(truncatingIfNeeded: i.c))
          guard runs.goesOn(after: end, self) else { return end }
          next = code
          continue
        case .emitValue:
          outputKind = Self.boxedOutput
          move(i.a, to: program.tables.valueCount)
          let end = End(code: UInt8(truncatingIfNeeded: i.c))
          guard runs.goesOn(after: end, self) else { return end }
          next = code
          continue
        case .emitRow:
          outputKind = Self.inputOutput
          return End(code: UInt8(truncatingIfNeeded: i.c))
        case .emitRecord:
          outputKind = Self.recordOutput
          outputBits = i.immediate
          return End(code: UInt8(truncatingIfNeeded: i.c))
        case .end:
          let end = End(code: UInt8(truncatingIfNeeded: i.c))
          guard runs.goesOn(after: end, self) else { return end }
          next = code
          continue
        case .limitDepth:
          if slots[i.b] & 15 == 15, isTooDeep(i.pointee) {
            if !isGeneric { _ = leave(i) }
            return .failed
          }
          continue
        }
        // A jump.
        next = code + i.c
        guard next.opcode == .end else { continue }
        // An end that is jumped to is done at once.
        let end = End(code: UInt8(truncatingIfNeeded: next.c))
        guard runs.goesOn(after: end, self) else { return end }
        next = code
        continue
      }
      next = leave(i)
    }
  }

  @inline(__always)
  private func rowCell(_ number: Int64) -> UnsafePointer<FieldCell>? {
    aside?.pointee.rowCells.map { $0 + Int(number) }
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
}

/// What an instruction names, read where it is needed.
extension UnsafePointer<Instruction> {
  @inline(__always) fileprivate var opcode: Opcode { pointee.opcode }
  @inline(__always) fileprivate var a: Int { Int(pointee.a) }
  @inline(__always) fileprivate var b: Int { Int(pointee.b) }
  @inline(__always) fileprivate var c: Int { Int(pointee.c) }
  @inline(__always) fileprivate var immediate: Int64 { pointee.immediate }
  /// The constant, as a double.
  @inline(__always) fileprivate var number: Double { Double(bitPattern: UInt64(bitPattern: pointee.immediate)) }
}
