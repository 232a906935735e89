internal import CLibrary

/// Number of nested live streams active on this thread. Code called by one must not wait for another, since the two
/// could deadlock.
enum DeliveryDepth {
  #if os(WASI)
  /// NB: One thread uses it.
  nonisolated(unsafe) private(set) static var current = 0

  static func enter() { current += 1 }

  static func leave() { current -= 1 }
  #else
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var current: Int { Int(bitPattern: pthread_getspecific(key)) }

  static func enter() { pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: current + 1)) }

  static func leave() { pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: current - 1)) }
  #endif
}
