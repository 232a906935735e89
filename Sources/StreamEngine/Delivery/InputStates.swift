internal import StreamCore

/// The state of an input within one execution.
struct InputState {
  /// The only subscriber; nil if there is none or several. It may have ended.
  private(set) var only: InputStage?
  private var coldState: InputColdState?

  /// Rarely used fields, stored out of line to keep the other inputs small.
  private final class InputColdState {
    var completion: Completion?
    var current: Value?
    /// Several subscribers, in order of subscription; some of them may have ended.
    var subscribers: [InputStage] = []
    /// Number of ended subscribers; they are removed when they outnumber the others.
    var endedCount = 0
  }

  init(current: Value? = nil) { self.current = current }

  var completion: Completion? {
    get { coldState?.completion }
    set {
      if newValue == nil, coldState == nil { return }
      ensureColdState().completion = newValue
    }
  }

  /// The newest value of a current-value input.
  var current: Value? {
    get { coldState?.current }
    set {
      if newValue == nil, coldState == nil { return }
      ensureColdState().current = newValue
    }
  }

  /// The only subscriber, if the input has no current value and has not completed; nil otherwise.
  var direct: Unmanaged<InputStage>? {
    @inline(__always) get { coldState == nil || isPlain ? only.map(Unmanaged.passUnretained) : nil }
  }

  @inline(never)
  private var isPlain: Bool { coldState.map { $0.current == nil && $0.completion == nil } ?? true }

  /// The subscribers in order of subscription; some of them may have ended.
  var subscribers: [InputStage] { only.map { [$0] } ?? coldState?.subscribers ?? [] }

  /// Calls `body` with the subscribers that have not ended, in order of subscription.
  func forEachSubscriber(_ body: (InputStage) -> Void) {
    if let only {
      if !only.isEnded { body(only) }
    } else if let coldState {
      for stage in coldState.subscribers where !stage.isEnded { body(stage) }
    }
  }

  mutating func join(_ stage: InputStage) {
    if let first = only {
      ensureColdState().subscribers = [first, stage]
      only = nil
    } else if let coldState, !coldState.subscribers.isEmpty {
      coldState.subscribers.append(stage)
    } else {
      only = stage
    }
  }

  mutating func leave(_ stage: InputStage) {
    if stage === only { only = nil }
    guard let coldState, !coldState.subscribers.isEmpty else { return }
    coldState.endedCount += 1
    guard coldState.endedCount > coldState.subscribers.count / 2 else { return }
    let rest = coldState.subscribers.filter { !$0.isEnded }
    coldState.endedCount = 0
    coldState.subscribers = rest.count == 1 ? [] : rest
    if rest.count == 1 { only = rest[0] }
  }

  private mutating func ensureColdState() -> InputColdState {
    if let coldState { return coldState }
    let made = InputColdState()
    coldState = made
    return made
  }
}

/// The inputs within one execution. The first is stored inline, since most pipelines have only one.
struct InputStates {
  private var first: InputState
  private var others: [InputState]

  init(_ inputs: [Pipeline.Input]) {
    first = InputState(current: inputs.isEmpty ? nil : inputs[0].initialValue)
    others = inputs.dropFirst().map { InputState(current: $0.initialValue) }
  }

  /// Returns the states of a pipeline with `count` inputs.
  func all(_ count: Int) -> [InputState] { count == 0 ? [] : [first] + others }

  /// Returns the direct subscriber of an input; nil also if the input does not exist.
  @inline(__always)
  func direct(_ number: Int) -> Unmanaged<InputStage>? {
    if number == 0 { return first.direct }
    return number > 0 && number <= others.count ? others[number - 1].direct : nil
  }

  subscript(number: Int) -> InputState {
    @inline(__always) _read {
      if number == 0 { yield first } else { yield others[number - 1] }
    }
    @inline(__always) _modify {
      if number == 0 { yield &first } else { yield &others[number - 1] }
    }
  }
}
