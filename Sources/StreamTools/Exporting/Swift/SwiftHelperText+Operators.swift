extension SwiftHelperText {
  static let elementAt = """
    /// There is no element at the index.
    struct IndexOutOfBounds: Error {
      let index: Int
    }

    extension Array {
      func element(at index: Int) throws -> Element {
        guard indices.contains(index) else { throw IndexOutOfBounds(index: index) }
        return self[index]
      }
    }
    """

  static let division = """
    /// Two numbers that cannot be divided.
    struct DivisionError: Error {}

    func quotient(_ dividend: Int, _ divisor: Int) throws -> Int {
      guard divisor != 0, !(dividend == .min && divisor == -1) else { throw DivisionError() }
      return dividend / divisor
    }

    func remainder(_ dividend: Int, _ divisor: Int) throws -> Int {
      guard divisor != 0, !(dividend == .min && divisor == -1) else { throw DivisionError() }
      return dividend % divisor
    }
    """

  static let failure = """
    /// A failure with a value.
    struct StreamError: Error, Equatable {
      let payload: JSON
    }
    """

  static let reason = """
    extension JSON {
      /// Creates the value of a failure.
      init(reason error: any Error) {
        self = (error as? StreamError)?.payload ?? ["message": .string("\\(error)")]
      }
    }
    """

  static let decode = """
    extension Publisher where Output == String, Failure == any Error {
      /// Decodes each string as JSON of a type.
      func decoded<Value: Decodable>(
        as type: Value.Type, names: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
      ) -> AnyPublisher<Value, any Error> {
        tryMap { text in
          let decoder = JSONDecoder()
          decoder.keyDecodingStrategy = names
          return try decoder.decode(type, from: Data(text.utf8))
        }
        .eraseToAnyPublisher()
      }
    }
    """

  static let merge = """
    #if !canImport(Combine)
      extension Publisher {
        /// Merges the values of two publishers; OpenCombine has no `merge`.
        func merge<Other: Publisher>(with other: Other) -> AnyPublisher<Output, Failure>
        where Other.Output == Output, Other.Failure == Failure {
          [eraseToAnyPublisher(), other.eraseToAnyPublisher()].publisher
            .setFailureType(to: Failure.self)
            .flatMap { $0 }
            .eraseToAnyPublisher()
        }
      }
    #endif
    """

  static let combineLatest = """
    #if !canImport(Combine)
      extension Publisher {
        /// Combines the latest values of two publishers; OpenCombine has no `combineLatest`.
        func combineLatest<Other: Publisher>(_ other: Other) -> AnyPublisher<(Output, Other.Output), Failure>
        where Other.Failure == Failure {
          typealias Newest = (first: Output?, second: Other.Output?, silent: Int)
          let first = map { Newest($0, nil, 0) }.append(Just(Newest(nil, nil, 1)).setFailureType(to: Failure.self))
          let second = other.map { Newest(nil, $0, 0) }
            .append(Just(Newest(nil, nil, 2)).setFailureType(to: Failure.self))
          return first.merge(with: second)
            .scan(Newest(nil, nil, 0)) { newest, next in
              let hasEndedSilently = (next.silent == 1 && newest.first == nil) || (next.silent == 2 && newest.second == nil)
              return (next.first ?? newest.first, next.second ?? newest.second, hasEndedSilently ? -1 : next.silent)
            }
            .prefix { $0.silent >= 0 }
            .compactMap { newest in
              guard newest.silent == 0, let first = newest.first, let second = newest.second else { return nil }
              return (first, second)
            }
            .eraseToAnyPublisher()
        }

        /// Combines the latest values of three publishers.
        func combineLatest<Second: Publisher, Third: Publisher>(
          _ second: Second, _ third: Third
        ) -> AnyPublisher<(Output, Second.Output, Third.Output), Failure>
        where Second.Failure == Failure, Third.Failure == Failure {
          combineLatest(second).combineLatest(third).map { ($0.0.0, $0.0.1, $0.1) }.eraseToAnyPublisher()
        }

        /// Combines the latest values of four publishers.
        func combineLatest<Second: Publisher, Third: Publisher, Fourth: Publisher>(
          _ second: Second, _ third: Third, _ fourth: Fourth
        ) -> AnyPublisher<(Output, Second.Output, Third.Output, Fourth.Output), Failure>
        where Second.Failure == Failure, Third.Failure == Failure, Fourth.Failure == Failure {
          combineLatest(second, third).combineLatest(fourth).map { ($0.0.0, $0.0.1, $0.0.2, $0.1) }
            .eraseToAnyPublisher()
        }
      }
    #endif
    """

  static let take = """
    extension Publisher {
      /// Publishes the first values and finishes with the last of them, without waiting for another value.
      func take(_ count: Int) -> AnyPublisher<Output, Failure> {
        guard count > 0 else { return Empty().eraseToAnyPublisher() }
        return scan((count: 0, value: Output?.none)) { ($0.count + 1, $1) }
          .flatMap { step in
            (step.count == count ? [step.value, nil] : [step.value]).publisher.setFailureType(to: Failure.self)
          }
          .prefix { $0 != nil }
          .compactMap { $0 }
          .eraseToAnyPublisher()
      }
    }
    """

  static let distinct = """
    extension Publisher where Output: Equatable {
      /// Publishes each value that has not been published before.
      func distinct() -> AnyPublisher<Output, Failure> {
        scan((known: [Output](), new: Output?.none)) { state, value in
          state.known.contains(value) ? (state.known, nil) : (state.known + [value], value)
        }
        .compactMap { $0.new }
        .eraseToAnyPublisher()
      }
    }
    """

  static let withLatestFrom = """
    extension Publisher {
      /// Publishes each value with the latest value of the other publisher; drops values before its first one.
      func withLatestFrom<Other: Publisher>(_ other: Other) -> AnyPublisher<(Output, Other.Output), Failure>
      where Other.Failure == Failure {
        typealias State = (value: Output?, latest: Other.Output?, hasEnded: Bool)
        let latest = other.map { State(nil, $0, false) }
        let values = map { State($0, nil, false) }
          .append(Just(State(nil, nil, true)).setFailureType(to: Failure.self))
        return latest.merge(with: values)
          .scan(State(nil, nil, false)) { ($1.value, $1.latest ?? $0.latest, $1.hasEnded) }
          .prefix { !$0.hasEnded }
          .compactMap { state in
            guard let value = state.value, let latest = state.latest else { return nil }
            return (value, latest)
          }
          .eraseToAnyPublisher()
      }
    }
    """
}
