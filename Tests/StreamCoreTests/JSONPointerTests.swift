import StreamCore
import Testing

@Suite("JSON pointers")
struct JSONPointerTests {
  @Test(
    "Pointers are read and written as RFC 6901 has them",
    arguments: [
      ("", []), ("/", [""]), ("/foo/0", ["foo", "0"]), ("/a~1b", ["a/b"]), ("/m~0n", ["m~n"]), ("/~01", ["~1"]),
      ("//", ["", ""]), ("/é😀/ ", ["é😀", " "]),
    ])
  func readsAndWrites(text: String, tokens: [String]) throws {
    let pointer = try JSONPointer(parsing: text)
    #expect(pointer.tokens == tokens)
    #expect(pointer.description == text)
  }

  @Test("Wrong pointers are refused", arguments: ["a", "#/a", "/~", "/~2", "/a~"])
  func refuses(text: String) {
    let result = Result { () throws(Diagnostic) in try JSONPointer(parsing: text) }
    #expect(result.failure?.code == .invalidPointer)
  }

  @Test("A value gives the member that a pointer names")
  func finds() throws {
    let value: Value = ["foo": ["bar", ["": 1]], "a/b": 2, "m~n": 3]
    let found = try ["", "/foo/0", "/foo/1/", "/a~1b", "/m~0n", "/foo/2", "/foo/00", "/foo/-", "/foo/0/x", "/x"].map {
      value[try JSONPointer(parsing: $0)]
    }
    #expect(found == [value, "bar", 1, 2, 3, nil, nil, nil, nil, nil])
  }

  @Test("Pointers that share their first tokens are those of the same tokens")
  func shared() throws {
    let plain = try JSONPointer(parsing: "/definitions/a/operators/0/map")
    let outer = JSONPointer(["definitions", "a"]).shared
    let inner = outer.appending("operators").shared
    let joined = inner + JSONPointer(["0", "map"])
    let appended = inner.appending(0).appending("map")
    #expect(Set([plain, joined, appended]) == [plain])
    #expect(joined.tokens == plain.tokens && joined.description == plain.description)
    #expect(outer.shared == outer && JSONPointer().shared == JSONPointer() && JSONPointer() + outer == outer)
    #expect(inner != outer)
    var changed = joined
    changed.tokens[1] = "b"
    #expect(changed.description == "/definitions/b/operators/0/map")
    #expect(joined == plain)
  }

  @Test("Pointers are equal by their tokens, however many of them are shared")
  func sharing() {
    let tokens = (0..<20).map(String.init)
    let plain = JSONPointer(tokens)
    for first in 0..<20 {
      for second in first..<20 {
        let pointer = (JSONPointer(Array(tokens[..<first])).shared + JSONPointer(Array(tokens[first..<second]))).shared
        let whole = pointer + JSONPointer(Array(tokens[second...]))
        #expect(whole == plain && plain == whole && whole.hashValue == plain.hashValue)
        #expect(whole.appending("x") != plain.appending("y") && pointer != plain)
      }
    }
  }
}
