#if Sharing
import Foundation
import StreamCore
import Testing

@testable import StreamHub

@Suite struct OpenAPITests {
  @Test func everyReferenceLeadsToAComponent() {
    var references: Set<String> = []
    collect(OpenAPI.document, into: &references)
    #expect(references.count > 20)
    for reference in references {
      var place: Value? = OpenAPI.document
      for part in reference.dropFirst(2).split(separator: "/") { place = place?.member(String(part)) }
      #expect(place != nil, "\(reference)")
    }
  }

  private func collect(_ value: Value, into references: inout Set<String>) {
    switch value {
    case .map(let map):
      if let reference = map["$ref"]?.text { references.insert(reference) }
      for (_, member) in map.pairs { collect(member, into: &references) }
    case .list(let list): for element in list { collect(element, into: &references) }
    default: break
    }
  }

  @Test(arguments: Problem.Kind.allCases)
  func theTypeOfAProblemLeadsToItsDescription(_ kind: Problem.Kind) {
    let response = OpenAPI.document.member("components")?.member("responses")?.member(kind.rawValue)
    #expect(kind.type == "/openapi.json#/components/responses/\(kind.rawValue)")
    #expect(response?.member("description")?.text == kind.title)
  }

  @Test(arguments: Route.allCases)
  func everyMethodIsDescribed(_ route: Route) {
    let item = OpenAPI.document.member("paths")?.member(route.rawValue)
    for method in route.methods {
      let operation = item?.member(method.lowercased())
      #expect(operation?.member("summary")?.text?.hasSuffix(".") == true, "\(method) \(route)")
      #expect(operation?.member("responses")?.memberNames.contains { $0.hasPrefix("2") } == true)
    }
  }

  /// The reference validator, where it is installed: `pip install openapi-spec-validator`.
  @Test func theValidatorAcceptsIt() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/openapi.json"
    try Data(JSONWriter.compact(OpenAPI.document).utf8).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openapi-spec-validator", path]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // 127: there is no such program.
    #expect(process.terminationStatus == 0 || process.terminationStatus == 127, "\(text)")
  }
}
#endif
