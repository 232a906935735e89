import StreamCombine
import StreamCore
import StreamEngine

extension PublisherBuilder {
  func time(_ upstream: ValuePublisher, by operation: OperatorDescription) -> ValuePublisher {
    switch operation {
    case .delay(let time): return upstream.delay(for: .milliseconds(time), scheduler: scheduler).eraseToAnyPublisher()
    case .debounce(let time):
      let settle = { [scheduler] (upstream: ValuePublisher) in
        upstream.debounce(for: .milliseconds(time), scheduler: scheduler).eraseToAnyPublisher()
      }
      return waiting(decisions.contains(.asksWhenAsked) ? askingWhenAsked(upstream, settle) : settle(upstream))
    case .throttle(let time, let latest):
      guard decisions.contains(.throttleSubscribesFirst) else {
        return waiting(
          upstream.throttle(for: .milliseconds(time), scheduler: scheduler, latest: latest).eraseToAnyPublisher())
      }
      return waiting(
        askingWhenAsked(upstream) { [scheduler] in
          $0.throttle(for: .milliseconds(time), scheduler: scheduler, latest: latest).eraseToAnyPublisher()
        })
    case .timeout(let time, let error):
      let failure: (() -> any Error)? = error.map { payload in { OracleFailure.payload(.string(payload)) } }
      let late = VirtualInstant.Stride(nanoseconds: decisions.contains(.timeoutComesLast) ? 1 : 0)
      return upstream.timeout(.milliseconds(time) + late, scheduler: scheduler, customError: failure)
        .eraseToAnyPublisher()
    case .measureInterval:
      return upstream.measureInterval(using: scheduler)
        .map { Value.double(Interval(nanoseconds: $0.nanoseconds).seconds) }.eraseToAnyPublisher()
    default: return upstream
    }
  }

  func combine(
    _ upstream: ValuePublisher, by operation: OperatorDescription, _ variables: Formula.Variables
  ) -> ValuePublisher {
    switch operation {
    case .zip(let streams, let formula):
      let all = [upstream] + streams.map { publisher(for: $0, variables) }
      guard decisions.contains(.zipHearsSilentEndsFirst) else { return zip(all, formula) }
      return Deferred {
        let gate = DemandGate()
        let gated = all.map { GatedPublisher(upstream: $0, gate: gate).eraseToAnyPublisher() }
        return GateOpenedBySubscribing(upstream: self.zip(gated, formula), gate: gate)
      }.eraseToAnyPublisher()
    case .append(let streams):
      return streams.reduce(upstream) { $0.append(publisher(for: $1, variables)).eraseToAnyPublisher() }
    case .prepend(let streams):
      return streams.reversed().reduce(upstream) { $0.prepend(publisher(for: $1, variables)).eraseToAnyPublisher() }
    case .share:
      return decisions.contains(.valuesWait)
        ? PacedShare(upstream).eraseToAnyPublisher() : upstream.share().eraseToAnyPublisher()
    case .buffer(let capacity, let whenFull, let keepsFull):
      let strategy: Publishers.BufferingStrategy<any Error> =
        switch whenFull {
        case .dropNewest: .dropNewest
        case .dropOldest: .dropOldest
        case .fail: .customError { OracleFailure.full }
        }
      let buffer = subscriptionFirst(
        upstream.buffer(size: capacity, prefetch: keepsFull ? .keepFull : .byRequest, whenFull: strategy))
      guard decisions.contains(.bufferIsFilledFirst) else { return buffer.eraseToAnyPublisher() }
      return Deferred {
        let gate = DemandGate()
        return GateOpenedBySubscribing(upstream: GatedPublisher(upstream: buffer, gate: gate), gate: gate)
      }.eraseToAnyPublisher()
    default: return upstream
    }
  }

  /// - Parameter publishers: 2 to 4.
  private func zip(_ publishers: [ValuePublisher], _ formula: Formula?) -> ValuePublisher {
    let give = { (values: [Value]) in
      formula.map { (try? $0.apply(Formula.Variables(values: values))) ?? .null } ?? .list(values)
    }
    let (first, second) = (publishers[0], publishers[1])
    switch publishers.count {
    case 2: return zipped(first.zip(second)).map { give([$0, $1]) }.eraseToAnyPublisher()
    case 3:
      return zipped(first.zip(second, publishers[2])).map { give([$0, $1, $2]) }.eraseToAnyPublisher()
    default:
      return zipped(first.zip(second, publishers[2], publishers[3])).map { give([$0, $1, $2, $3]) }
        .eraseToAnyPublisher()
    }
  }

  private func zipped<Tuples: Publisher>(_ tuples: Tuples) -> AnyPublisher<Tuples.Output, Tuples.Failure> {
    let zip = subscriptionFirst(tuples)
    return decisions.contains(.zipAsksAll)
      ? RequestingPublisher(upstream: zip).eraseToAnyPublisher() : zip.eraseToAnyPublisher()
  }

  func recover(
    _ upstream: ValuePublisher, by operation: OperatorDescription, _ variables: Formula.Variables
  ) -> ValuePublisher {
    switch operation {
    case .mapError(let formula):
      return upstream.mapError { error in
        OracleFailure.payload((try? formula.apply(Self.knowing(error, variables))) ?? .null) as any Error
      }.eraseToAnyPublisher()
    case .catch(let stream):
      return upstream.catch { error in self.publisher(for: stream, Self.knowing(error, variables)) }
        .eraseToAnyPublisher()
    case .replaceError(let value):
      return upstream.replaceError(with: value).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    case .replaceEmpty(let value):
      guard isDemandFinite || decisions.contains(.zipHearsSilentEndsFirst) else {
        return upstream.replaceEmpty(with: value).eraseToAnyPublisher()
      }
      return Deferred {
        var isEmpty = true
        return upstream.handleEvents(receiveOutput: { _ in isEmpty = false })
          .append(Deferred { isEmpty ? Self.sequence([value]) : Self.empty })
      }.eraseToAnyPublisher()
    case .retry(let count): return upstream.retry(count).eraseToAnyPublisher()
    default: return upstream
    }
  }

  private static func knowing(_ error: any Error, _ variables: Formula.Variables) -> Formula.Variables {
    var variables = variables
    variables.error = (error as? OracleFailure ?? .expression).description
    return variables
  }
}
