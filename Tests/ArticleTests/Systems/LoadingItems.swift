public import Foundation
public import StreamCombine
import StreamCore

#if !canImport(Combine)
extension JSONDecoder: @retroactive TopLevelDecoder {}
#endif

struct Item: Decodable, Equatable {
  let id: Int
  let title: String
  let shortText: String

  var value: Value { ["id": .int(Int64(id)), "title": .string(title), "shortText": .string(shortText)] }
}

struct ItemsResponse: Decodable, Equatable {
  let items: [Item]

  var value: Value { ["items": items.value] }
}

extension [Item] {
  var value: Value { .list(map(\.value)) }
}

/// The errors of loading items.
enum ItemsError: Describable {
  case offline(Value)
  case notDecodable
  case missingItems
  case emptyQuery
  indirect case requestFailed(any Error)

  init(_ error: any Error) {
    self =
      switch error {
      case let failure as HostFailure: .offline(failure.error)
      case let error as ItemsError: error
      default: .notDecodable
      }
  }

  var description: Value {
    switch self {
    case .offline(let error): error
    case .notDecodable: ["code": .string(DiagnosticCode.invalidConversion.rawValue)]
    case .missingItems: "missingItems"
    case .emptyQuery: "emptyQuery"
    case .requestFailed(let error): ["requestFailed": ItemsError(error).description]
    }
  }
}

// MARK: The article's own operators

extension JSONDecoder {
  static var snakeCaseConverting: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}

extension Publisher where Output == Data {
  func decode<Model: Decodable>(
    as type: Model.Type = Model.self, using decoder: JSONDecoder = .snakeCaseConverting
  ) -> Publishers.Decode<Self, Model, JSONDecoder> {
    decode(type: type, decoder: decoder)
  }
}

extension Publisher {
  func validate(using validator: @escaping (Output) throws -> Void) -> Publishers.TryMap<Self, Output> {
    tryMap { output in
      try validator(output)
      return output
    }
  }

  func unwrap<Wrapped>(
    orThrow error: @escaping @autoclosure () -> any Error
  ) -> Publishers.TryMap<Self, Wrapped> where Output == Wrapped? {
    tryMap { output in
      guard let output else { throw error() }
      return output
    }
  }

  func convertToResult() -> AnyPublisher<Result<Output, Failure>, Never> {
    map(Result.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
  }

  func convertToLoadingState() -> AnyPublisher<LoadingState<Output>, Never> {
    map(LoadingState.loaded).catch { Just(.failed($0)) }.eraseToAnyPublisher()
  }
}

extension AnyPublisher {
  static func just(_ output: Output) -> Self {
    Just(output).setFailureType(to: Failure.self).eraseToAnyPublisher()
  }

  static func fail(with error: Failure) -> Self { Fail(error: error).eraseToAnyPublisher() }
}

/// The state of a model that loads something.
enum LoadingState<Output> {
  case idle
  case loading
  case loaded(Output)
  case failed(any Error)

  var isLoading: Bool { if case .loading = self { true } else { false } }

  func value(_ loaded: (Output) -> Value) -> Value {
    switch self {
    case .idle: ["idle": [:]]
    case .loading: ["loading": [:]]
    case .loaded(let output): ["loaded": loaded(output)]
    case .failed(let error): ["failed": ItemsError(error).description]
    }
  }
}

// MARK: Requests

extension World {
  /// The data that the session gets for a request.
  func data(for request: Value) -> AnyPublisher<Data, any Error> {
    call("session.data", request)
      .map { response in
        guard case .map(let members) = response, case .string(let text)? = members["data"] else { return Data() }
        return Data(text.utf8)
      }
      .mapError { $0 as any Error }
      .eraseToAnyPublisher()
  }

  /// All items, as the server has them.
  var allItems: AnyPublisher<ItemsResponse, any Error> {
    data(for: "allItems").decode(as: ItemsResponse.self).eraseToAnyPublisher()
  }

  var validatedItems: AnyPublisher<ItemsResponse, any Error> {
    allItems
      .validate { response in
        guard !response.items.isEmpty else { throw ItemsError.missingItems }
      }
      .eraseToAnyPublisher()
  }

  var recentItem: AnyPublisher<Item, any Error> {
    data(for: "recentItems")
      .decode(as: ItemsResponse.self)
      .map(\.items.first)
      .unwrap(orThrow: ItemsError.missingItems)
      .eraseToAnyPublisher()
  }

  /// Listens to what may fail with any error.
  func listen<Source: Publisher>(
    to publisher: Source, as value: @escaping (Source.Output) -> Value
  ) where Source.Failure == any Error {
    listen(to: publisher.mapError { ItemsError($0) }, as: value)
  }
}
