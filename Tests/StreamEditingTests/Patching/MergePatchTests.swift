import StreamCore
import StreamEditing
import StreamKit
import TestSupport
import Testing

/// JSON Merge Patch, RFC 7396.
@Suite struct MergePatchTests {
  /// The cases of the RFC's appendix A: a document, a patch, and the result.
  static let published = [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ]

  @Test("Results of a merge patch", arguments: published)
  func applying(_ document: String, _ patch: String, _ outcome: String) throws {
    let actual = try MergePatch(json(patch)).applied(to: json(document))
    let expected = try json(outcome)
    #expect(actual == expected)
  }

  /// Two documents and the patch that makes the second of the first.
  static let made = [
    (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, "{}"), (#"{"a":1,"b":2}"#, #"{"b":3}"#, #"{"a":null,"b":3}"#),
    (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1,"c":3}}"#, #"{"a":{"c":3}}"#),
    (#"{"a":[1,2]}"#, #"{"a":[1,null]}"#, #"{"a":[1,null]}"#), (#"{"a":1}"#, "[1]", "[1]"), ("[1]", "[1]", "[1]"),
    ("7", "null", "null"),
    (#"{"a":null,"b":1}"#, #"{"a":null,"b":2}"#, #"{"b":2}"#), (#"{"a":null}"#, #"{"a":2}"#, #"{"a":2}"#),
    (#"{"a":1}"#, #"{"a":{"b":{}}}"#, #"{"a":{"b":{}}}"#),
  ]

  @Test("The merge patch between two documents", arguments: made)
  func making(_ old: String, _ new: String, _ patch: String) throws {
    let made = try MergePatch(from: json(old), to: json(new))
    let expected = try MergePatch(json(patch))
    #expect(made == expected)
    let outcome = try made.applied(to: json(old))
    let target = try json(new)
    #expect(outcome == target)
  }

  /// Two documents and the places whose change a merge patch cannot say.
  static let unsayable = [
    (#"{"a":1}"#, #"{"a":null}"#, ["/a"]), ("{}", #"{"a":null,"b":{"c":null}}"#, ["/a", "/b/c"]),
    (#"{"a":[1]}"#, #"{"a":{"b":null}}"#, ["/a/b"]), ("[1]", #"{"a":null}"#, ["/a"]),
  ]

  @Test("A change that a merge patch cannot express is reported", arguments: unsayable)
  func refusing(_ old: String, _ new: String, _ places: [String]) throws {
    let (old, new) = try (json(old), json(new))
    do {
      _ = try MergePatch(from: old, to: new)
      Issue.record("the patch is made")
    } catch {
      #expect(error.all.map { "\($0.pointer)" } == places)
      #expect(error.all.allSatisfy { $0.code == .patchUnsayable })
    }
  }
}
