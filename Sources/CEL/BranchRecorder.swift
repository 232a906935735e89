internal import Synchronization

/// Remembers which branches of an expression have been taken: both sides of `?:`, `&&` and `||`.
///
/// An expression that is planned in an environment with a recorder tells it; any other is not slowed down at all.
public final class BranchRecorder: Sendable {
  /// What an expression may do or leave, at a `?:`, `&&` or `||` that stands in its text.
  public struct Branch: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// The side of a `?:` for a condition that holds, and the other.
      case positive, negative
      /// The left side of `&&` is false, of `||` true, and decides alone.
      case leftOfAnd, leftOfOr
      /// The left side of `&&` or `||` does not decide, and the right one is looked at.
      case rightOfAnd, rightOfOr
    }

    public let kind: Kind
    /// The side, in UTF-8 bytes of the expression's text.
    public let range: Range<Int>
  }

  private struct State {
    var branches: [Branch] = []
    var taken: [Bool] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// The branches of the expression, in the order of its plan, and whether each has been taken.
  public var branches: [(branch: Branch, isTaken: Bool)] {
    state.withLock { state in zip(state.branches, state.taken).map { ($0, $1) } }
  }

  /// The number of a branch; it is the same each time that the expression is planned.
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
