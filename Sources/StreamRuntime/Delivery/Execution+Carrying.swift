internal import StreamCore

// A value goes from stage to stage for as long as nothing but one value comes of it: nothing else can be done before
// what comes of that, so it need not be noted what is to be done.

extension Execution {
  /// How many stages a value passes in one piece of work.
  private static let carryLimit = 256

  /// Hands a value to a stage, and what that makes of it to the next, on and on. Gives what the host is to hear.
  ///
  /// Afterwards what follows is on the stack, which had `mark` items.
  func carry(_ value: consuming Value, to first: Stage, on firstPort: Int, _ mark: Int) -> ExecutionEvent? {
    // NB: not counted: a stage that ends is kept until nothing that is to be done refers to it.
    unowned(unsafe) var stage = first
    var (port, mark, passed) = (firstPort, mark, 0)
    while true {
      do throws(StreamFailure) {
        if try !stage.relay(&value, on: port, answers(for: stage)) {
          guard let said = stack.takePublication(of: stage, since: mark) else {
            stack.arrange(since: mark)
            return nil
          }
          value = said
          noteHeard(stage)
          mark = stack.count
        }
      } catch {
        return refuse(error, at: stage, from: port, mark)
      }
      passed += 1
      guard passed < Self.carryLimit, aside?.publicationWatcher == nil else {
        stage.unheardCount += 1
        stack.push(Work(.publish, stage, value: value))
        return nil
      }
      guard let next = stage.downstream else { return .value(value) }
      port = stage.port
      stage = next
    }
  }

  /// Goes on with what a stage has just said, where that is one value and nothing else.
  @inline(__always)
  func goOn(from stage: Stage, _ mark: Int) -> ExecutionEvent? {
    guard aside?.publicationWatcher == nil, let value = stack.takePublication(of: stage, since: mark) else {
      return nil
    }
    noteHeard(stage)
    guard let next = stage.downstream else { return .value(value) }
    return carry(value, to: next, on: stage.port, stack.count)
  }
}
