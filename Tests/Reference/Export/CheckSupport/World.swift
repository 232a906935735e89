import CEL
import Foundation
public import StreamCombine
import StreamCore
import StreamKit
public import StreamRuntime

/// A failure of a host that has no `StreamError`.
public struct HostFailure: Error {
  public let json: String
  public init(json: String) { self.json = json }
}

/// The value that a JSON text is.
public func decoded<Output: Decodable>(_ json: String) -> Output {
  do {
    return try JSONDecoder().decode(Output.self, from: Data(json.utf8))
  } catch {
    preconditionFailure("the test feeds \(json), which is no \(Output.self)")
  }
}

public func encoded(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { preconditionFailure("what is published is no JSON") }
  return String(decoding: data, as: UTF8.self)
}

/// What a test is to an exported stream: the clock, the host, who feeds it and who listens.
public final class World {
  public let scheduler = VirtualScheduler()
  private let test: StreamTest
  public private(set) var history = History()
  private var subscription: AnyCancellable?
  private var start: (() -> Void)?

  init(_ test: StreamTest) { self.test = test }

  /// Sends what the test feeds to an input, each event at its time.
  public func feed<Input: Subject>(
    _ name: String, _ subject: Input, failure: @escaping (String) -> any Error
  ) where Input.Output: Decodable, Input.Failure == any Error {
    guard let script = test.inputs[name] else { return }
    for event in script.history().events {
      scheduler.schedule(
        after: VirtualInstant(nanoseconds: event.time.nanoseconds), tolerance: scheduler.minimumTolerance, options: nil
      ) {
        switch event.event {
        case .value(let value): subject.send(decoded(JSONWriter.compact(value)))
        case .finished: subject.send(completion: .finished)
        case .failure(let reason):
          subject.send(completion: .failure(failure(JSONWriter.compact(reason.description))))
        default: break
        }
      }
    }
  }

  /// Answers a call as the test says.
  public func call<Argument: Encodable, Output: Decodable>(
    _ name: String, _ argument: Argument, failure: @escaping (String) -> any Error
  ) -> AnyPublisher<Output, any Error> {
    let argument = value(encoded(argument))
    let answers = test.calls[name]?.answers ?? []
    guard let answer = answers.first(where: { $0.argument.map { $0.isEqual(to: argument) } ?? true }) else {
      return Fail(error: HostFailure(json: "\"no answer\"")).eraseToAnyPublisher()
    }
    let result: Result<Output, any Error> =
      switch answer.kind {
      case .value(let value): .success(decoded(JSONWriter.compact(value)))
      case .failure(let reason): .failure(failure(JSONWriter.compact(reason)))
      case .expression(let expression): .success(decoded(JSONWriter.compact(evaluate(expression, argument))))
      }
    let after = VirtualInstant.Stride.nanoseconds(Int(Interval(seconds: answer.after).nanoseconds))
    return Just(()).setFailureType(to: (any Error).self).delay(for: after, scheduler: scheduler)
      .tryMap { try result.get() }.eraseToAnyPublisher()
  }

  private func evaluate(_ expression: CEL.CELExpression, _ argument: Value) -> Value {
    let activation = Activation(slotCount: 1)
    activation.set(argument, at: 0)
    do {
      return try expression.plan(in: Environment(variables: [Variable("argument")])).evaluate(activation)
    } catch {
      preconditionFailure("the answer of the test cannot be computed: \(error)")
    }
  }

  /// Writes down what the stream says; subscribes when time begins.
  public func hear<Output: Encodable>(
    _ stream: AnyPublisher<Output, any Error>, payload: @escaping (any Error) -> String?
  ) {
    start = { [unowned self] in
      subscription = stream.sink(
        receiveCompletion: { [unowned self] completion in
          switch completion {
          case .finished: add(.finished)
          case .failure(let error):
            add(.failure(Self.reason(payload(error).map { self.value($0) }, "\(error)", of: test)))
          }
        },
        receiveValue: { [unowned self] value in add(.value(self.value(encoded(value)))) })
    }
  }

  func run() {
    start?()
    scheduler.run(through: VirtualInstant(nanoseconds: Self.end(of: test))) { true }
    subscription?.cancel()
    scheduler.clear()
  }

  private func add(_ event: ExecutionEvent) {
    history.events.append(TimedEvent(StreamTime(nanoseconds: scheduler.now.nanoseconds), event))
  }

  private func value(_ json: String) -> Value {
    guard let document = try? JSONDocument(reading: json, file: "exported") else { return .string(json) }
    return document.value
  }

  /// When a test's run ends, in nanoseconds: after an hour where it does not say.
  static func end(of test: StreamTest) -> Int64 {
    test.seconds.map { Int64(($0 * 1e9).rounded()) } ?? 3_600_000_000_000
  }

  /// The failure as the file's test would know it. Where the test is of an example, any is what it expects; one that carries no value is one of the code's own, and stands for
  /// the code that the test names.
  static func reason(_ payload: Value?, _ message: String?, of test: StreamTest) -> StreamFailure {
    let expected = test.expect.history().events.last?.event
    if test.extensions["x-anyFailure"] != nil, case .failure(let wanted)? = expected { return wanted }
    if let payload { return StreamFailure(payload: payload) }
    if case .failure(let wanted)? = expected, case .map(let members)? = wanted.payload, members["code"] != nil {
      return wanted
    }
    return StreamFailure(payload: .string(message ?? ""))
  }
}
