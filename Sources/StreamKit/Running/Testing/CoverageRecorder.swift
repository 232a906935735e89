internal import CEL
internal import StreamCore
internal import StreamEngine
internal import Synchronization

/// The event that must reach an operator before it counts as exercised.
package enum Exercise: Sendable {
  case value, failure, finish
  /// A finish without a preceding value.
  case emptyFinish
  /// A subscription to the upstream.
  case start

  /// The description of a missing event.
  var absence: String {
    switch self {
    case .value: "no value reaches it"
    case .failure: "no failure reaches it"
    case .finish: "its upstream never finishes"
    case .emptyFinish: "its upstream never finishes without a value"
    case .start: "its upstream is never subscribed to"
    }
  }
}

/// Records which operators and expression branches of a stream file its tests exercise.
///
/// One recorder serves all tests of a file. Files that it refers to are not recorded; they have their own tests.
package final class CoverageRecorder: Sendable {
  struct OperatorMark {
    var exercise: Exercise
    var isExercised = false
  }

  private struct State {
    var operators: [JSONPointer: OperatorMark] = [:]
    var expressions: [JSONPointer: BranchRecorder] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The operators by the places of their fields.
  var operators: [JSONPointer: OperatorMark] { state.withLock { $0.operators } }
  /// The recorders of expressions by the places of these.
  var expressions: [JSONPointer: BranchRecorder] { state.withLock { $0.expressions } }

  /// The recorder of the expression at this place.
  func recorder(ofExpressionAt pointer: JSONPointer) -> BranchRecorder {
    state.withLock { state in
      if let known = state.expressions[pointer] { return known }
      let recorder = BranchRecorder()
      state.expressions[pointer] = recorder
      return recorder
    }
  }

  /// Inserts a probe between an operator and its upstream, which passes all signals and records that the operator is
  /// exercised.
  func probe(_ upstream: PipelineNode, of exercise: Exercise, at pointer: JSONPointer) -> PipelineNode {
    state.withLock { state in
      if state.operators[pointer] == nil { state.operators[pointer] = OperatorMark(exercise: exercise) }
    }
    return .probe(
      upstream, ExerciseObserver(exercise) { [self] in state.withLock { $0.operators[pointer]?.isExercised = true } })
  }
}

/// Reports the event that it waits for.
private final class ExerciseObserver: ProbeObserver {
  let exercise: Exercise
  let tell: @Sendable () -> Void

  init(_ exercise: Exercise, _ tell: @escaping @Sendable () -> Void) {
    self.exercise = exercise
    self.tell = tell
  }

  func noteStart() { if case .start = exercise { tell() } }

  func note(_ value: Value, at moment: ProbeMoment) { if case .value = exercise { tell() } }

  func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment) {
    switch (exercise, completion) {
    case (.failure, .failure), (.finish, .finished): tell()
    case (.emptyFinish, .finished) where !hasValue: tell()
    default: break
    }
  }
}
