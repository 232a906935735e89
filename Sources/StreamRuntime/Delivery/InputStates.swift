internal import StreamCore

/// The state of an input within one execution.
struct InputState {
  /// The only subscriber; nil if there is none or several. It may have ended.
  private(set) var only: InputStage?
  private var aside: ColdStorage?

  /// Rarely used fields, stored out of line to keep the other inputs small.
  private final class ColdStorage {
    var completion: Completion?
    var current: Value?
    /// Several subscribers, in order of subscription; some of them may have ended.
    var subscribers: [InputStage] = []
    /// Number of ended subscribers; they are removed when they outnumber the others.
    var endedCount = 0
  }

  init(current: Value? = nil) { self.current = current }

  var completion: Completion? {
    get { aside?.completion }
    set {
      if newValue == nil, aside == nil { return }
      makeAside().completion = newValue
    }
  }

  /// The newest value of a current-value input.
  var current: Value? {
    get { aside?.current }
    set {
      if newValue == nil, aside == nil { return }
      makeAside().current = newValue
    }
  }

  /// Whether the input has neither a subscriber nor state of its own.
  var isUntouched: Bool { only == nil && aside == nil }

  /// The only subscriber, if the input has no current value and has not completed; nil otherwise.
  var direct: Unmanaged<InputStage>? {
    @inline(__always) get { aside == nil || isPlain ? only.map(Unmanaged.passUnretained) : nil }
  }

  @inline(never)
  private var isPlain: Bool { aside.map { $0.current == nil && $0.completion == nil } ?? true }

  /// The subscribers in order of subscription; some of them may have ended.
  var subscribers: [InputStage] { only.map { [$0] } ?? aside?.subscribers ?? [] }

  /// Calls `body` with the subscribers that have not ended, in order of subscription.
  func forEachSubscriber(_ body: (InputStage) -> Void) {
    if let only {
      if !only.isEnded { body(only) }
    } else if let aside {
      for stage in aside.subscribers where !stage.isEnded { body(stage) }
    }
  }

  mutating func join(_ stage: InputStage) {
    if let first = only {
      makeAside().subscribers = [first, stage]
      only = nil
    } else if let aside, !aside.subscribers.isEmpty {
      aside.subscribers.append(stage)
    } else {
      only = stage
    }
  }

  mutating func leave(_ stage: InputStage) {
    if stage === only { only = nil }
    guard let aside, !aside.subscribers.isEmpty else { return }
    aside.endedCount += 1
    guard aside.endedCount > aside.subscribers.count / 2 else { return }
    let rest = aside.subscribers.filter { !$0.isEnded }
    aside.endedCount = 0
    aside.subscribers = rest.count == 1 ? [] : rest
    if rest.count == 1 { only = rest[0] }
  }

  private mutating func makeAside() -> ColdStorage {
    if let aside { return aside }
    let made = ColdStorage()
    aside = made
    return made
  }
}

/// The inputs within one execution. The first is stored inline, since most pipelines have only one.
struct InputStates {
  private var first: InputState
  private var others: [InputState]

  init(_ inputs: [PipelineInput]) {
    first = InputState(current: inputs.first?.initialValue)
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
