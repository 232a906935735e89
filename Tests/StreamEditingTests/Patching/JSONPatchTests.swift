import StreamCore
import StreamEditing
import StreamKit
import TestSupport
import Testing

/// JSON Patch, RFC 6902.
@Suite struct JSONPatchTests {
  /// A document, a patch, and the result; nil if the patch cannot be applied.
  struct Example: Sendable, CustomStringConvertible {
    let description: String
    let document: String
    let patch: String
    let outcome: String?

    init(_ description: String, _ document: String, _ patch: String, _ outcome: String?) {
      self.description = description
      self.document = document
      self.patch = patch
      self.outcome = outcome
    }
  }

  /// The cases of the RFC's appendix A.
  static let published = [
    Example("A.1", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
    Example(
      "A.2", #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#),
    Example("A.3", #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    Example(
      "A.4", #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
    Example(
      "A.5", #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
      #"{"baz":"boo","foo":"bar"}"#),
    Example(
      "A.6", #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
    Example(
      "A.7", #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#),
    Example(
      "A.8", #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#),
    Example("A.9", #"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#, nil),
    Example(
      "A.10", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#),
    Example(
      "A.11", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"foo":"bar","baz":"qux"}"#),
    Example("A.12", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, nil),
    Example(
      "A.14", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    Example("A.15", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#, nil),
    Example(
      "A.16", #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
      #"{"foo":["bar",["abc","def"]]}"#),
  ]

  static let others = [
    Example("whole", #"{"a":1}"#, #"[{"op":"replace","path":"","value":[1]}]"#, "[1]"),
    Example("whole by add", #"{"a":1}"#, #"[{"op":"add","path":"","value":2}]"#, "2"),
    Example("member set again", #"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
    Example("copy", #"{"a":{"b":[1]}}"#, #"[{"op":"copy","from":"/a/b","path":"/c"}]"#, #"{"a":{"b":[1]},"c":[1]}"#),
    Example("onto itself", #"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    Example("numbers by value", #"[1, 2.5]"#, #"[{"op":"test","path":"","value":[1.0, 2.50]}]"#, "[1,2.5]"),
    Example(
      "objects in any order", #"{"a":1,"b":2}"#, #"[{"op":"test","path":"","value":{"b":2,"a":1}}]"#, #"{"a":1,"b":2}"#),
    Example("empty name", #"{"":1}"#, #"[{"op":"replace","path":"/","value":2}]"#, #"{"":2}"#),
    Example("true is not 1", "[true]", #"[{"op":"test","path":"/0","value":1}]"#, nil),
    Example("the end of an empty list", "[]", #"[{"op":"add","path":"/0","value":1}]"#, "[1]"),
    Example("beyond the end", "[1]", #"[{"op":"add","path":"/2","value":1}]"#, nil),
    Example("no leading zeros", "[1,2]", #"[{"op":"remove","path":"/01"}]"#, nil),
    Example("no element there", "[1]", #"[{"op":"replace","path":"/-","value":1}]"#, nil),
    Example("replace what does not exist", "{}", #"[{"op":"replace","path":"/a","value":1}]"#, nil),
    Example("remove what does not exist", "{}", #"[{"op":"remove","path":"/a"}]"#, nil),
    Example("remove all", "{}", #"[{"op":"remove","path":""}]"#, nil),
    Example("copy what does not exist", "{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#, nil),
    Example("into a string", #"{"a":"b"}"#, #"[{"op":"add","path":"/a/0","value":1}]"#, nil),
  ]

  @Test("Results of a patch", arguments: published + others)
  func applying(_ example: Example) throws {
    let patch = try JSONPatch(json(example.patch))
    let document = try json(example.document)
    guard let outcome = example.outcome else {
      #expect(throws: Diagnostics.self) { try patch.applied(to: document) }
      return
    }
    let actual = try patch.applied(to: document)
    let expected = try json(outcome)
    #expect(actual == expected)
    let again = try JSONPatch(patch.value)
    #expect(again == patch)
  }

  /// A patch and what is wrong with it, as `pointer: message`.
  static let wrong = [
    (#"{"op":"add"}"#, ": a JSON Patch is an array of operations; found an object"),
    (#"[1]"#, "/0: an operation is an object with 'op' and 'path'; found an integer"),
    (
      #"[{"path":"/a"}]"#,
      "/0: the operation needs 'op', one of add, remove, replace, move, copy, test"
    ),
    (
      #"[{"op":"delete","path":"/a"}]"#,
      "/0/op: there is no operation 'delete'; expected one of add, remove, replace, move, copy, test"
    ),
    (#"[{"op":"add","path":"/a"}]"#, "/0: the operation needs 'value'"),
    (#"[{"op":"move","path":"/a"}]"#, "/0: the operation needs 'from', a JSON pointer"),
    (#"[{"op":"remove","path":"a"}]"#, "/0/path: the JSON pointer 'a' does not begin with '/'"),
    (#"[{"op":"remove","path":7}]"#, "/0/path: 'path' is an integer; expected a JSON pointer"),
    (
      #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
      "/0/path: '/a' cannot be moved into itself, to '/a/b'"
    ),
  ]

  @Test("A patch that is none is refused with what is wrong", arguments: wrong)
  func reading(_ patch: String, _ expected: String) throws {
    let value = try json(patch)
    do {
      _ = try JSONPatch(value)
      Issue.record("the patch is read")
    } catch {
      let found = error.all.map { "\($0.pointer): \($0.message)" }
      #expect(found == [expected])
    }
  }

  @Test("A patch is applied as a whole or not at all, and the error names the operation")
  func atomic() throws {
    let patch = try JSONPatch(
      json(#"[{"op":"add","path":"/b","value":2},{"op":"remove","path":"/a/0/c"},{"op":"remove","path":"/b"}]"#))
    let document = try json(#"{"a":[{"b":1}]}"#)
    do {
      _ = try patch.applied(to: document)
      Issue.record("the patch is done")
    } catch {
      #expect(error.all.map(\.message) == ["operation 1 (remove): there is no '/a/0/c': '/a/0' has no member 'c'"])
      #expect(error.all.map { "\($0.pointer)" } == ["/1/path"])
      #expect(error.all.map(\.code) == [.patchFailed])
    }
  }

  @Test("Copies that double a value are refused before it is long")
  func copies() {
    let operation: Value = ["op": "copy", "from": "/a", "path": "/a/-"]
    func problem(copying count: Int) -> Diagnostic? {
      do throws(Diagnostics) {
        _ = try JSONPatch(.list(Array(repeating: operation, count: count))).applied(to: ["a": [1]])
        return nil
      } catch {
        return error.all.first
      }
    }
    #expect(problem(copying: 10) == nil)
    let problem = problem(copying: 40)
    #expect(problem?.code == .patchFailed)
    #expect(problem?.message.hasSuffix("(copy): the copied values are longer than 4 MB") == true)
  }
}
