import TestSupport
import Testing

/// The examples in the comments of public types are part of a test.
@Suite struct CommentExampleTests {
  /// A public type at the top level of a file, with its comment.
  struct PublicType: Sendable, CustomStringConvertible {
    let file: String
    let name: String
    let comment: [Substring]

    var description: String { "\(name) in \(file)" }

    /// The code of its first example.
    var example: String? {
      guard let start = comment.firstIndex(of: "```swift") else { return nil }
      return comment[(start + 1)...].prefix { $0 != "```" }.joined(separator: "\n")
    }

    /// The types of a file.
    static func all(in file: String) -> [PublicType] {
      var types: [PublicType] = []
      var comment: [Substring] = []
      for line in Fixture.read("\(Fixture.package)/\(file)").split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("///") {
          comment.append(line.hasPrefix("/// ") ? line.dropFirst(4) : line.dropFirst(3))
        } else {
          if let name = name(declaredBy: line) { types.append(PublicType(file: file, name: name, comment: comment)) }
          if !line.hasPrefix("@") { comment = [] }
        }
      }
      return types
    }

    /// The name of the type that a line declares; nil if it declares none that apps see.
    private static func name(declaredBy line: Substring) -> String? {
      guard !line.hasPrefix(" "), !line.contains("@_spi") else { return nil }
      let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
      guard let access = words.first, ["public", "open"].contains(access) else { return nil }
      let declaration = words.dropFirst().drop { ["final", "indirect"].contains($0) }
      let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
      guard let kind = declaration.first, kinds.contains(kind), declaration.count > 1 else { return nil }
      return String(declaration[declaration.startIndex + 1].prefix { $0.isLetter || $0.isNumber })
    }
  }

  /// The libraries that apps use to run, publish and edit streams.
  static let types = ["StreamCore", "StreamEngine", "StreamKit", "StreamCombine", "StreamEditing"].flatMap { module in
    DocumentationPages.files(in: "Sources/\(module)", ending: ".swift").flatMap { PublicType.all(in: $0) }
  }

  @Test("Every public type has an example in its comment, which is part of a test", arguments: types)
  func example(_ type: PublicType) throws {
    let example = try #require(type.example)
    for paragraph in DocumentationTests.paragraphs(of: example) {
      #expect(DocumentationTests.isTested(paragraph), "\(paragraph)")
    }
  }

  @Test("There are types of each library")
  func areThere() {
    #expect(Self.types.count > 100)
    for name in ["Value", "Execution", "StreamModel", "StreamPublisher", "StreamEditor"] {
      #expect(Self.types.contains { $0.name == name })
    }
  }
}
