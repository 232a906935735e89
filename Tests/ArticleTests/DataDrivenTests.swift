import Foundation
import StreamCore
import StreamKit
import Testing

/// The French article: streams as data.
@Suite struct DataDrivenTests {
  /// The stream as the article's structures write it, read as a file of ours.
  static func loaded(_ stream: ArticleStream<some Codable & Sendable>) throws -> StreamFile {
    let text = try JSONEncoder().encode(stream)
    return try StreamFile(try JSONDocument(reading: Array(text), file: "stream.json"), identity: "stream.json")
  }

  static let serialStreamA = ArticleStream(
    id: UUID(), name: "Serial Stream A", description: nil,
    stream: (1...4).map { ArticleItem(value: $0, operators: [.delay(seconds: 1)]) })

  @Test("Serial Stream A, by the article's own structures and by the file")
  func serialStreamA() throws {
    let stream = Self.serialStreamA
    let heard = try compare("data-driven/serial-stream-a.json", Script()) { stream.listen(in: $0) }
    #expect(heard.times == [1000, 2000, 3000, 4000, 4000])
    try compare(Self.loaded(stream), Script()) { stream.listen(in: $0) }
  }

  @Test("The file holds what the article's structures write, and they read it")
  func reads() throws {
    let text = try Data(contentsOf: ArticleFiles.folder.appending(path: "data-driven/serial-stream-a.json"))
    let stream = try JSONDecoder().decode(ArticleStream<Int>.self, from: text)
    try compare("data-driven/serial-stream-a.json", Script()) { stream.listen(in: $0) }
    let written = try Self.loaded(stream)
    let file = try ArticleFiles.load("data-driven/serial-stream-a.json")
    #expect(written.model.json.member("stream") == file.model.json.member("stream"))
    #expect(written.model.json.member("id") == file.model.json.member("id"))
    #expect(written.model.json.member("name") == "Serial Stream A")
  }

  @Test("Items with any number of delays, and none", arguments: ["uneven-delays", "no-items"])
  func others(_ name: String) throws {
    let text = try Data(contentsOf: ArticleFiles.folder.appending(path: "data-driven/\(name).json"))
    let stream = try JSONDecoder().decode(ArticleStream<String>.self, from: text)
    try compare("data-driven/\(name).json", Script()) { stream.listen(in: $0) }
  }

  @Test("Streams that are edited at random, saved and read", arguments: 0..<40 as Range<UInt64>)
  func edited(_ seed: UInt64) throws {
    var generator = ScriptGenerator(seed: seed)
    var stream = Self.serialStreamA
    for _ in 0..<generator.number(in: 1...8) {
      let operators = (0..<generator.number(in: 0...3)).map { _ in
        ArticleOperator.delay(seconds: generator.pick([0, 0.001, 0.25, 1, 1.5, 3600]))
      }
      let place = generator.number(in: 0...stream.stream.count)
      if place < stream.stream.count, generator.number(in: 0...2) == 0 { stream.stream.remove(at: place) }
      let item = ArticleItem(value: generator.number(in: -2...9), operators: operators)
      stream.stream.insert(item, at: min(place, stream.stream.count))
    }
    let heard = try compare(Self.loaded(stream), Script(), note: "seed \(seed)") { stream.listen(in: $0) }
    #expect(heard.values.count == stream.stream.count)
  }
}

extension Value {
  /// A member of an object, if it is one and has it.
  fileprivate func member(_ name: String) -> Value? { if case .map(let map) = self { map[name] } else { nil } }
}
