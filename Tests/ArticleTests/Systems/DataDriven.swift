import Foundation
import StreamCombine
import StreamCore
import StreamEditing

/// The French article's stream as data: items, each with operators of its own.
struct ArticleStream<Element: Codable & Sendable>: Codable, Sendable {
  var id: UUID
  var name: String?
  var description: String?
  var stream: [ArticleItem<Element>]
}

struct ArticleItem<Element: Codable & Sendable>: Codable, Sendable {
  let value: Element
  var operators: [ArticleOperator]
}

enum ArticleOperator: Codable, Sendable {
  case delay(seconds: Double)

  private enum CodingKeys: CodingKey {
    case delay
  }

  private struct DelayFields: Codable {
    let seconds: Double
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self).decode(DelayFields.self, forKey: .delay)
    self = .delay(seconds: fields.seconds)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .delay(let seconds): try container.encode(DelayFields(seconds: seconds), forKey: .delay)
    }
  }
}

extension ArticleOperator {
  func applied<Element>(
    to publisher: AnyPublisher<Element, Never>, on scheduler: VirtualScheduler
  ) -> AnyPublisher<Element, Never> {
    switch self {
    case .delay(let seconds): publisher.delay(for: .seconds(seconds), scheduler: scheduler).eraseToAnyPublisher()
    }
  }
}

extension ArticleItem {
  func makePublisher(on scheduler: VirtualScheduler) -> AnyPublisher<Element, Never> {
    operators.reduce(Just(value).eraseToAnyPublisher()) { $1.applied(to: $0, on: scheduler) }
  }
}

extension ArticleStream {
  func makePublisher(on scheduler: VirtualScheduler) -> AnyPublisher<Element, Never> {
    let publishers = stream.map { $0.makePublisher(on: scheduler) }
    guard let first = publishers.first else { return Empty().eraseToAnyPublisher() }
    return publishers.dropFirst().reduce(first) { $0.append($1).eraseToAnyPublisher() }
  }

  /// Listens to it as the article would.
  func listen(in world: World) {
    world.listen(to: makePublisher(on: world.scheduler)) { (try? ValueEncoder().encode($0)) ?? .null }
  }
}
