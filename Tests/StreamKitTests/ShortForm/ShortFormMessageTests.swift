import Foundation
import StreamCore
import StreamKit
import TestSupport
import Testing

/// The messages for wrong one-liners, in `Tests/Reference/wrong-one-liners.txt`. `UPDATE_GOLDEN=1 swift test` writes
/// them again; read the changes.
@Suite struct ShortFormMessageTests {
  private static let path = "\(Fixture.package)/Tests/Reference/wrong-one-liners.txt"

  /// The one-liners of the file, each with its messages.
  private static let cases: [(text: String, messages: String)] = {
    "\n\(Fixture.read(path))".components(separatedBy: "\n=== ").dropFirst().map { part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let messages = lines.count > 1 ? String(lines[1]) : ""
      return (String(lines[0]), messages.hasSuffix("\n") ? String(messages.dropLast()) : messages)
    }
  }()

  private func messages(_ text: String) -> String {
    let source = SourceText(file: "-e", text: text)
    do throws(Diagnostics) {
      let stream = try StreamFile(try ShortForm.document(of: source), identity: "<-e>")
      _ = try stream.compile(CompileOptions(host: .any))
      return "no message"
    } catch {
      #expect(error.all.allSatisfy { $0.location != nil })
      return error.all.map { DiagnosticPrinter().text($0, source: source) }.joined(separator: "\n")
    }
  }

  @Test("Wrong one-liners have the messages of the file, each with its place")
  func golden() {
    #expect(Self.cases.count > 60)
    let found = Self.cases.map { ($0.text, messages($0.text)) }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      Fixture.write(found.map { "=== \($0)\n\($1)\n" }.joined(), to: Self.path)
    }
    for (found, known) in zip(found, Self.cases) { #expect(found.1 == known.messages, "\(found.0)") }
  }

  @Test("No text, however broken, is read as a model without an error or stops the program", arguments: 0..<4)
  func hostile(_ part: Int) {
    var models = ShortFormModels(seed: UInt64(100 + part))
    for _ in 0..<50 {
      guard let text = try? ShortForm.text(of: models.next()) else { continue }
      var bytes = Array(text.utf8)
      for _ in 0..<20 {
        let place = models.below(bytes.count + 1)
        switch models.below(3) {
        case 0 where place < bytes.count: bytes.remove(at: place)
        case 1: bytes.insert(contentsOf: Array("(){}[]|,:\"'.$ 1a".utf8)[models.below(16)...].prefix(1), at: place)
        default: bytes = Array(bytes.prefix(max(1, place)))
        }
        let source = SourceText(file: "-e", bytes: bytes)
        do throws(Diagnostics) {
          _ = try ShortForm.document(of: source)
        } catch {
          #expect(error.all.allSatisfy { ($0.location?.bytes.upperBound ?? .max) <= bytes.count })
        }
      }
    }
  }
}
