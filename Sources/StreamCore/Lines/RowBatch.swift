internal import CLibrary

/// The layouts by which lines are read into rows.
package struct RowPlan: Sendable {
  /// Distinguishes plans whose fields have different places in rows.
  let number: Int
  /// Number of cells from one row to the next.
  let width: Int
  /// The known layouts.
  let layouts: [any RowLayout]
  /// The maximum number of bytes of a line.
  let longest: Int
}

/// Memory for rows and their lines.
///
/// - Memory: `capacity` rows; the system provides pages when they are first written.
package final class RowBatch {
  /// Rows of consecutive lines with the same layout.
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
  /// The number of the plan by which the rows were read; -1 if there are none.
  private(set) var number = -1
  /// The next row to return, and the index of its run.
  private var nextRow = 0
  private var nextRun = 0

  /// Number of lines without a known layout before reading stops.
  private static let patience = 64

  package convenience init(capacity: Int) { self.init(capacity: capacity, width: 1) }

  init(capacity: Int, width: Int) {
    self.capacity = capacity
    self.width = width
    cells = .allocate(capacity: capacity * width)
    lines = .allocate(capacity: capacity)
  }

  // NB: Trivial types need no deinitialization.
  deinit {
    cells.deallocate()
    lines.deallocate()
  }

  /// Reads the complete lines at the start of a text into rows, up to the first line that a function does not read.
  ///
  /// - Parameters:
  ///   - first: Index of the first row.
  ///   - limit: The maximum number of lines.
  ///   - readRow: Reads a line, with its line break, into the cells of a row. Returns the part of the line that has the
  ///     row and the byte after it; nil if it does not read the line.
  /// - Returns: The number of lines.
  @inline(__always)
  func read(
    _ text: PaddedBytes, longest: Int, from first: Int, atMost limit: Int,
    _ readRow: (PaddedBytes, UnsafeMutablePointer<FieldCell>) -> PaddedBytes?
  ) -> Int {
    let limit = min(limit, capacity - first)
    var (start, number) = (0, 0)
    var cells = cells + first * width
    let lines = lines + first
    // NB: The end of a line is found before the line is read, so that the processor works on several lines at once.
    while number < limit, start < text.count, let found = memchr(text.base + start, 0x0A, text.count - start) {
      let end = UnsafeRawPointer(found) - UnsafeRawPointer(text.base) + 1
      let line = PaddedBytes(unsafe: text.base + start, count: end - start)
      guard line.count <= longest, let row = readRow(line, cells) else { break }
      lines[number] = row
      number += 1
      cells += width
      start = end
    }
    return number
  }

  // MARK: Reading ahead

  /// Replaces the rows by those of a text's lines. Lines without a layout of the plan are left out.
  ///
  /// - Parameter text: Must not change while the rows are used.
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

  /// Discards the rows.
  package func forget() {
    number = -1
    runs.removeAll(keepingCapacity: true)
    (nextRow, nextRun) = (0, 0)
  }

  /// Returns the row of the line that starts at a place and the rows after it with the same layout; nil if there is none.
  ///
  /// - Parameter place: Not before the place of an earlier call.
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
