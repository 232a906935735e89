internal import Synchronization

/// Records which branches of an expression have been taken: both sides of `?:`, `&&` and `||`.
///
/// Only expressions planned in an environment with a recorder report their branches; others have no overhead.
public final class BranchRecorder: Sendable {
  /// A branch of a `?:`, `&&` or `||` in the text of an expression.
  public struct Branch: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// The side of a `?:` for a condition that is true, and for one that is false.
      case positive, negative
      /// The left side of `&&` is false, or of `||` true, which decides the result.
      case leftOfAnd, leftOfOr
      /// The left side of `&&` or `||` does not decide the result, so the right side is evaluated.
      case rightOfAnd, rightOfOr
    }

    public let kind: Kind
    /// Range of the side, in UTF-8 bytes of the expression's text.
    public let range: Range<Int>
  }

  private struct State {
    var branches: [Branch] = []
    var taken: [Bool] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// The branches in the order of the plan, and whether each has been taken.
  public var branches: [(branch: Branch, isTaken: Bool)] {
    state.withLock { state in zip(state.branches, state.taken).map { ($0, $1) } }
  }

  /// Returns the number of a branch, which is the same each time the expression is planned.
  func number(of branch: Branch) -> Int {
    state.withLock { state in
      if let known = state.branches.firstIndex(of: branch) { return known }
      state.branches.append(branch)
      state.taken.append(false)
      return state.branches.count - 1
    }
  }

  func take(_ number: Int) { state.withLock { $0.taken[number] = true } }
}
