internal import CLibrary

#if !os(WASI)
/// Opens once; threads wait until it does.
final class Latch: @unchecked Sendable {  // the pthread mutex protects what is `var`
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isOpen = false
  /// Whether the thread that waited takes over the work of the thread that opened the latch. Read after `wait`.
  private(set) var passesTurn = false

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func open(passingTurn: Bool = false) {
    pthread_mutex_lock(mutex)
    isOpen = true
    passesTurn = passingTurn
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  func wait() {
    pthread_mutex_lock(mutex)
    while !isOpen { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }
}
#else
/// Opens once. WebAssembly has one thread here, which cannot wait for another.
final class Latch: Sendable {
  let passesTurn = false

  func open(passingTurn: Bool = false) {}

  func wait() { preconditionFailure("the only thread waits for another one") }
}
#endif
