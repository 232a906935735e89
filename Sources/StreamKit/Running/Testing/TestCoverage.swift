internal import CEL
package import StreamCore

/// The operators and branches that the tests of stream files exercise.
package struct TestCoverage: Hashable, Sendable {
  /// The number of items, and the number of those that a test exercises.
  package struct Share: Hashable, Sendable {
    package var covered: Int
    package var total: Int

    package init(covered: Int = 0, total: Int = 0) {
      self.covered = covered
      self.total = total
    }

    mutating func count(_ isCovered: Bool) {
      total += 1
      if isCovered { covered += 1 }
    }
  }

  package private(set) var operators = Share()
  package private(set) var branches = Share()
  /// A note for each operator and branch that no test exercises, in the order of the file.
  package private(set) var uncovered: [Diagnostic] = []

  package init() {}

  package init(operators: Share, branches: Share, uncovered: [Diagnostic]) {
    self.operators = operators
    self.branches = branches
    self.uncovered = uncovered
  }

  /// Creates the coverage recorded for a file.
  package init(_ recorder: CoverageRecorder, in document: JSONDocument) {
    var notes: [Diagnostic] = []
    for (pointer, mark) in recorder.operators {
      operators.count(mark.isExercised)
      guard !mark.isExercised else { continue }
      let name = pointer.tokens.last ?? ""
      let kind = pointer.tokens.count == 2 && pointer.tokens[0] == "outputs" ? "output" : "operator"
      notes.append(
        Diagnostic(
          .notExercised, "\(kind) '\(name)': \(mark.exercise.absence)", at: pointer, part: .key, severity: .note))
    }
    for (pointer, recorder) in recorder.expressions {
      let text = document.value[pointer]?.text ?? ""
      for (branch, isTaken) in recorder.branches {
        branches.count(isTaken)
        guard !isTaken else { continue }
        notes.append(
          Diagnostic(
            .notExercised, "branch \(branch.words(in: text))", at: pointer, part: .text(branch.range), severity: .note))
      }
    }
    uncovered = notes.map(document.locate).sorted { first, second in
      let places = [first, second].map { $0.location?.bytes.lowerBound ?? 0 }
      return places[0] != places[1] ? places[0] < places[1] : first.message < second.message
    }
  }

  /// Adds two coverages.
  package static func + (lhs: TestCoverage, rhs: TestCoverage) -> TestCoverage {
    var sum = lhs
    sum.operators.covered += rhs.operators.covered
    sum.operators.total += rhs.operators.total
    sum.branches.covered += rhs.branches.covered
    sum.branches.total += rhs.branches.total
    sum.uncovered += rhs.uncovered
    return sum
  }

  /// Percentage of operators and branches that are exercised; 100 if there are none.
  package var percentage: Double {
    let total = operators.total + branches.total
    return total == 0 ? 100 : Double(operators.covered + branches.covered) * 100 / Double(total)
  }
}

extension BranchRecorder.Branch {
  /// Returns a description of the branch that is never taken.
  fileprivate func words(in text: String) -> String {
    let side = "`\(String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self))`"
    return switch kind {
    case .positive: "\(side): the condition never holds"
    case .negative: "\(side): the condition always holds"
    case .leftOfAnd: "\(side): the left side of && is never false"
    case .leftOfOr: "\(side): the left side of || is never true"
    case .rightOfAnd: "\(side): the left side of && is never true"
    case .rightOfOr: "\(side): the left side of || is never false"
    }
  }
}
