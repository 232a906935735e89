import StreamCombine
import StreamCore

/// The environment of publishers written by hand: virtual time, the host, and a subscriber.
final class World {
  let scheduler = VirtualScheduler()
  let host: ScriptedHost
  /// The handlers of the values that the script sends.
  var inputs: [String: (Value) -> Void] = [:]
  private var heard = Heard()
  private var subscriptions: Set<AnyCancellable> = []
  /// The objects of the system, kept while it runs.
  private var kept: [AnyObject] = []

  init(_ host: ScriptedHost) { self.host = host }

  /// The events of a system when the script is played to it.
  static func run(_ script: Script, host: ScriptedHost? = nil, _ build: (World) -> Void) -> Heard {
    let world = World(host ?? ScriptedHost(script))
    // First, so that inputs arrive before the timers of their instant.
    for step in script.steps {
      world.scheduler.schedule(after: .milliseconds(step.time)) { [unowned world] in
        world.inputs[step.input]?(step.value)
      }
    }
    build(world)
    world.scheduler.run(through: VirtualInstant(nanoseconds: .max)) { true }
    world.subscriptions = []
    world.scheduler.clear()
    return world.heard
  }

  private var now: Int64 { scheduler.now.nanoseconds }

  func keep(_ object: AnyObject) { kept.append(object) }

  /// Listens to a publisher.
  func listen<Source: Publisher>(to publisher: Source, as value: @escaping (Source.Output) -> Value)
  where Source.Failure: Describable {
    publisher.sink(
      receiveCompletion: { [unowned self] completion in
        switch completion {
        case .finished: say(.finished)
        case .failure(let failure): say(.failure(failure.description))
        }
      },
      receiveValue: { [unowned self] in say(.value(value($0))) }
    )
    .store(in: &subscriptions)
  }

  func listen<Source: Publisher>(to publisher: Source, as value: @escaping (Source.Output) -> Value)
  where Source.Failure == Never {
    listen(to: publisher.setFailureType(to: HostFailure.self), as: value)
  }

  /// Something is said beside a publisher: what a view shows.
  func say(_ value: Value) { say(.value(value)) }

  private func say(_ what: Heard.What) { heard.events.append(Heard.Entry(time: now, what: what)) }

  /// A request to the host, which begins when it is subscribed to.
  func call(_ function: String, _ argument: Value) -> AnyPublisher<Value, HostFailure> {
    Deferred { [unowned self] in
      Future { promise in
        guard let answer = self.answer(function, argument) else { return }
        self.scheduler.schedule(after: self.scheduler.now.advanced(by: .milliseconds(answer.delay))) {
          promise(answer.result)
        }
      }
    }
    .eraseToAnyPublisher()
  }

  /// A function of the host that answers at once.
  func answer(_ function: String, _ argument: Value) -> Script.Answer? {
    heard.calls.append(Heard.Entry(time: now, what: .told(function, argument)))
    return host.answer(function, argument)
  }

  /// Sends a hook to the host.
  func tell(_ hook: String, _ value: Value) {
    heard.hooks.append(Heard.Entry(time: now, what: .told(hook, value)))
    host.hooks[hook]?(value)
  }
}

extension VirtualInstant {
  static func milliseconds(_ count: Int) -> VirtualInstant {
    VirtualInstant(nanoseconds: Int64(count) * 1_000_000)
  }
}

/// An error that a stream file would write so.
protocol Describable: Error {
  var description: Value { get }
}

extension HostFailure: Describable {
  var description: Value { error }
}
