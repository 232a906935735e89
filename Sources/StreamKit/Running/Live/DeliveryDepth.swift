internal import CLibrary
internal import DequeModule

/// Number of nested live streams active on this thread. Code called by one must not wait for another, since the two
/// could deadlock.
///
/// Each level takes stack, so the work of a stream that would be deeper than `limit` is postponed until the outermost one
/// has done its work.
enum DeliveryDepth {
  /// Maximum number of nested streams. 64 levels take about 200 KB of stack in a debug build.
  static let limit = 64

  /// Twice the depth, and one more if there is postponed work.
  private static let depthWord = ThreadWord()
  private static let postponedWord = ThreadWord()

  private static var bits: Int {
    get { Int(bitPattern: depthWord.value) }
    set { depthWord.value = UnsafeMutableRawPointer(bitPattern: newValue) }
  }

  static var current: Int { bits >> 1 }

  /// Whether the work of another stream would be too deep.
  static var isFull: Bool { current >= limit }

  static func enter() { bits += 2 }

  /// Enters unless the depth is at its limit. Returns whether it has entered.
  static func enterIfRoom() -> Bool {
    let bits = bits
    if bits >> 1 >= limit { return false }
    self.bits = bits + 2
    return true
  }

  static func leave() {
    let rest = bits - 2
    if rest == 1 { return runPostponed() }
    bits = rest
  }

  // MARK: Postponed work

  private final class Postponed {
    var actions: Deque<() -> Void> = []
  }

  /// Performs an action when the outermost stream has done its work. Called within a delivery.
  static func postpone(_ action: @escaping () -> Void) {
    if let known = postponedWord.value {
      Unmanaged<Postponed>.fromOpaque(known).takeUnretainedValue().actions.append(action)
      return
    }
    let postponed = Postponed()
    postponed.actions.append(action)
    postponedWord.value = Unmanaged.passRetained(postponed).toOpaque()
    bits |= 1
  }

  /// Runs the postponed work, and what it postpones, at depth 1. The thread is at depth 0 afterward.
  private static func runPostponed() {
    if let known = postponedWord.value {
      let postponed = Unmanaged<Postponed>.fromOpaque(known).takeRetainedValue()
      while let action = postponed.actions.popFirst() { action() }
      postponedWord.value = nil
    }
    bits = 0
  }
}

/// A word of memory that each thread has for itself.
private final class ThreadWord: Sendable {
  #if os(WASI)
  /// NB: One thread uses it.
  nonisolated(unsafe) var value: UnsafeMutableRawPointer?
  #else
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  var value: UnsafeMutableRawPointer? {
    get { pthread_getspecific(key) }
    set { pthread_setspecific(key, newValue) }
  }
  #endif
}
