internal import CLibrary

/// What has to be known of lines to read them into rows.
package struct RowPlan: Sendable {
  /// Tells plans apart that put fields elsewhere.
  let number: Int
  /// From one row to the next.
  let width: Int
  /// The layouts that lines may have.
  let layouts: [any RowLayout]
  /// How many bytes a line has at most.
  let longest: Int
}

/// Memory for rows, and the lines that they are of.
///
/// - Memory: `capacity` rows, of which those take some that are written to.
package final class RowBatch {
  /// Rows of lines that follow each other and have one layout.
  struct Run {
    let first: Int
    let count: Int
    let layout: any RowLayout
  }

  private let capacity: Int
  private(set) var width: Int
  private(set) var cells: UnsafeMutablePointer<FieldCell>
  /// The lines, with their line breaks.
  let lines: UnsafeMutablePointer<PaddedBytes>
  private var runs: [Run] = []
  /// The number of the plan that lines were read by; -1 where none have been.
  private(set) var number = -1
  /// The first row that has not been passed, and the run that it is in.
  private var nextRow = 0
  private var nextRun = 0

  /// How many lines may be looked at in vain.
  private static let patience = 64

  package convenience init(capacity: Int) { self.init(capacity: capacity, width: 1) }

  init(capacity: Int, width: Int) {
    self.capacity = capacity
    self.width = width
    cells = .allocate(capacity: capacity * width)
    lines = .allocate(capacity: capacity)
  }

  // All of it is trivial: nothing to deinitialize.
  deinit {
    cells.deallocate()
    lines.deallocate()
  }

  /// Reads the lines that a text begins with into rows, from this row on, for as long as a function can.
  ///
  /// - Parameter readRow: reads a line, with its line break, into the cells of a row; false where it cannot.
  /// - Returns: how many; not more than the limit, and than there is room for.
  @inline(__always)
  func read(
    _ text: PaddedBytes, longest: Int, from first: Int, atMost limit: Int,
    _ readRow: (PaddedBytes, UnsafeMutablePointer<FieldCell>) -> Bool
  ) -> Int {
    let limit = min(limit, capacity - first)
    var (start, number) = (0, 0)
    var cells = cells + first * width
    let lines = lines + first
    // NB: where a line ends is found before it is read, so that the processor is at several lines at once.
    while number < limit, start < text.count, let found = memchr(text.base + start, 0x0A, text.count - start) {
      let end = UnsafeRawPointer(found) - UnsafeRawPointer(text.base) + 1
      let line = PaddedBytes(unsafe: text.base + start, count: end - start)
      guard line.count <= longest, readRow(line, cells) else { break }
      lines[number] = line
      number += 1
      cells += width
      start = end
    }
    return number
  }

  // MARK: Reading ahead

  /// Reads the lines of a text into rows, those that look as the plan knows lines to look. What was read before is gone.
  ///
  /// - Parameter text: stays as it is for as long as the rows are of use.
  package func read(_ text: PaddedBytes, by plan: RowPlan) {
    begin(plan)
    var (start, row, missCount, latest) = (0, 0, 0, 0)
    while start < text.count, row < capacity, missCount <= Self.patience + row / 4 {
      let rest = text.dropFirst(start)
      var found = 0
      for offset in plan.layouts.indices {
        let index = (latest + offset) % plan.layouts.count
        found = plan.layouts[index].read(rest, into: self, longest: plan.longest, from: row, atMost: capacity)
        guard found > 0 else { continue }
        runs.append(Run(first: row, count: found, layout: plan.layouts[index]))
        latest = index
        break
      }
      if found > 0 {
        row += found
        let last = lines[row - 1]
        start = last.base + last.count - text.base
      } else {
        missCount += 1
        guard let end = memchr(rest.base, 0x0A, rest.count) else { return }
        start = UnsafeRawPointer(end) - UnsafeRawPointer(text.base) + 1
      }
    }
  }

  private func begin(_ plan: RowPlan) {
    forget()
    number = plan.number
    guard plan.width != width else { return }
    cells.deallocate()
    width = plan.width
    cells = .allocate(capacity: capacity * width)
  }

  /// Forgets the rows.
  package func forget() {
    number = -1
    runs.removeAll(keepingCapacity: true)
    (nextRow, nextRun) = (0, 0)
  }

  /// The rows of the line that begins here, and of those behind it that have its layout; nil where there is none.
  ///
  /// - Parameter place: not before that of a call before.
  func run(at place: UnsafePointer<UInt8>) -> Run? {
    while nextRun < runs.count {
      let run = runs[nextRun]
      let end = run.first + run.count
      while nextRow + 64 < end, lines[nextRow + 64].base <= place { nextRow += 64 }
      while nextRow < end, lines[nextRow].base < place { nextRow += 1 }
      if nextRow < end {
        guard lines[nextRow].base == place else { return nil }
        return Run(first: nextRow, count: end - nextRow, layout: run.layout)
      }
      nextRun += 1
    }
    return nil
  }
}
