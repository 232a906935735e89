import StreamCore
import Testing

@testable import CEL

/// What an expression, and a program, look at of a record.
@Suite struct ReadingTests {
  @Test(arguments: [
    ("value.z > 0.25", ["z"]), ("has(value.a) ? value.a.b : value['c d']", ["a", "c d"]), ("1 + 1", []),
    ("other.x + value.y", ["y"]), ("value.list.map(x, x * value.k)", ["list", "k"]),
    ("{'value': value.z}", ["z"]), ("value.z.startsWith('a')", ["z"]),
  ])
  func `fields`(_ text: String, _ fields: [String]) {
    #expect(CELExpression(text).fieldsRead(of: "value") == Set(fields))
  }

  @Test(arguments: [
    "value", "value == 1", "value[key]", "size(value)", "value.map(x, x)", "[value]", "'a' in value", "value.?a",
    "value.size()", "value[0]", "cel.bind(v, value, v.a)", "value +",
  ])
  func `the whole`(_ text: String) {
    #expect(CELExpression(text).fieldsRead(of: "value") == nil)
  }

  private func use(_ make: (inout ProgramBuilder) throws -> Void) rethrows -> InputUse {
    var builder = ProgramBuilder()
    try make(&builder)
    return builder.build().inputUse
  }

  @Test func `a program reads what its expressions read`() throws {
    let filtered = try use { builder in
      let value = builder.input()
      let dropped = builder.label()
      builder.branch(unless: try builder.add("value.z > 0.25", binding: ["value": value]), to: dropped)
      builder.emit(
        try builder.add("{'d': value.d, 'n': size(value.list.filter(x, x > 1))}", binding: ["value": value]))
      builder.place(dropped)
      builder.end()
    }
    #expect(filtered == InputUse(fields: ["z", "d", "list"], isEmitted: false))
    let passed = try use { builder in
      let value = builder.input()
      let dropped = builder.label()
      builder.branch(unless: try builder.add("has(value.z)", binding: ["value": value]), to: dropped)
      builder.emit(value)
      builder.place(dropped)
      builder.end()
    }
    #expect(passed == InputUse(fields: ["z"], isEmitted: true))
  }

  @Test func `a program that keeps or compares its input reads all of it`() throws {
    let kept = use { builder in
      let value = builder.input()
      let cell = builder.cell(.null)
      builder.store(value, in: cell)
      builder.end()
    }
    #expect(kept.fields == nil)
    let compared = use { builder in
      let value = builder.input()
      builder.emit(builder.equal(value, builder.constant(["a": 1])))
    }
    #expect(compared.fields == nil)
    let within = try use { builder in
      let value = builder.input()
      builder.emit(try builder.add("{'all': value, 'z': value.z}", binding: ["value": value]))
    }
    #expect(within.fields == nil)
    let typed = try use { builder in
      let value = builder.input(.int)
      builder.emit(try builder.add("value + 1", binding: ["value": value]))
    }
    #expect(typed.fields == nil)
  }
}
