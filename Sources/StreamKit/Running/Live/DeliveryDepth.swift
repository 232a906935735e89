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
  private static let depthKey = makeKey()
  private static let postponedKey = makeKey()

  private static func makeKey() -> pthread_key_t {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }

  private static var bits: Int {
    get { Int(bitPattern: pthread_getspecific(depthKey)) }
    set { pthread_setspecific(depthKey, UnsafeMutableRawPointer(bitPattern: newValue)) }
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
    if let known = pthread_getspecific(postponedKey) {
      Unmanaged<Postponed>.fromOpaque(known).takeUnretainedValue().actions.append(action)
      return
    }
    let postponed = Postponed()
    postponed.actions.append(action)
    pthread_setspecific(postponedKey, Unmanaged.passRetained(postponed).toOpaque())
    bits |= 1
  }

  /// Runs the postponed work, and what it postpones, at depth 1. The thread is at depth 0 afterward.
  private static func runPostponed() {
    if let known = pthread_getspecific(postponedKey) {
      let postponed = Unmanaged<Postponed>.fromOpaque(known).takeRetainedValue()
      while let action = postponed.actions.popFirst() { action() }
      pthread_setspecific(postponedKey, nil)
    }
    bits = 0
  }
}
