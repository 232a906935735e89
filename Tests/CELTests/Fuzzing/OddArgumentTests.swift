@_spi(Engine) import StreamCore
import Testing

@testable import CEL

/// Every function with the odd values of the types that it takes. A value or an error is right; a trap ends the process.
@Suite struct OddArgumentTests {
  private static let texts: [Value] = [
    "", " ", "0", "-0.0", "\u{0}", "e\u{301}", "🇩🇪", "%", "%f", "%s%d%.1000f", "\\", "(", "[", "Europe/Berlin", "+25:00",
    "yyyy-MM-dd", "'", "9223372036854775808", "1970-01-01T00:00:00Z", "-1ns", "10.0.0.0/33", "::", "a.b", "{}",
  ]
  private static let ints: [Value] = [0, 1, -1, 63, 64, .int(.min), .int(.max)]
  private static let uints: [Value] = [.uint(0), .uint(1), .uint(.max)]
  private static let doubles: [Value] = [
    0.0, -0.0, 1.5, .double(.nan), .double(.infinity), .double(-.infinity), .double(.leastNonzeroMagnitude),
    .double(-.greatestFiniteMagnitude), 9.3e18,
  ]
  private static let times: [Value] = [
    .timestamp(Timestamp(seconds: 0)), .timestamp(Timestamp(seconds: -62_135_596_800)),
    .timestamp(Timestamp(seconds: 253_402_300_799)),
  ]
  private static let durations: [Value] = [
    .duration(.seconds(0)), .duration(.seconds(-1)), .duration(.seconds(315_000_000_000)),
  ]
  private static let lists: [Value] = [
    [], [0.0], [.double(.nan), 1], [.null], [[], [[]]], ["a", 1], .list(ints), .list(doubles), [["k": 1]],
    [true, false],
  ]
  private static let maps: [Value] = [
    [:], ["": .null], ["a": [1, 2]], ["a": "b"], .map(ValueMap([(.int(0), 1), (true, 2)])),
  ]
  private static let all: [Value] =
    [.null, true, .bytes([]), .bytes([0xFF]), .optional(nil), .optional(.optional(nil))] + texts.prefix(8) + ints
    + uints + doubles + times + durations + lists + maps

  private static func values(_ type: CELType) -> [Value] {
    switch type {
    case .string: texts
    case .int: ints
    case .uint: uints
    case .double: doubles
    case .timestamp: times
    case .duration: durations
    case .list(.optional): [[], [.optional(nil)], [.optional(1), 2]]
    case .list: lists
    case .map, .record: maps
    default: all
    }
  }

  @Test(
    "No function traps",
    arguments: FunctionCatalogue.tables.flatMap(\.functions).filter { !$0.bodies.isEmpty }.map(\.name))
  func calls(_ name: String) throws {
    let function = try #require(FunctionCatalogue.function(named: name))
    for signature in function.signatures(.mixed) where !signature.function.hasPrefix("@") {
      let names = ["a", "b", "c", "d"].prefix(signature.parameters.count)
      let listed = (signature.isMember ? names.dropFirst() : names[...]).joined(separator: ", ")
      let text = (signature.isMember ? "a." : "") + "\(name)(\(listed))"
      var environment = ExpressionEnvironment(variables: names.map { Variable($0) })
      environment.random = .place(key: { RandomSource.key(seed: 1, place: "") }, slots: [])
      guard let plan = try? CELExpression(text).plan(in: environment) else { continue }
      let choices = signature.parameters.map(Self.values)
      let count = choices.reduce(1) { $0 * $1.count }
      let step = max(1, count / 4_000) | 1
      for number in stride(from: 0, to: count, by: step) {
        let activation = Activation(slotCount: names.count, limits: ExpressionLimits(budget: 200_000))
        var rest = number
        for (slot, values) in choices.enumerated() {
          activation.set(values[rest % values.count], at: slot)
          rest /= values.count
        }
        _ = try? plan.evaluate(activation)
      }
    }
  }

  /// Formats of all letters with odd numbers, alone and with flags.
  @Test(
    "Every format takes every number",
    arguments: ["d", "f", "e", "s", "b", "o", "x", "X", ".0f", ".17e", "08.3f", "-9d", "+5d"])
  func formats(_ format: String) throws {
    let environment = ExpressionEnvironment(variables: [Variable("a")])
    let plan = try CELExpression("'%\(format)'.format([a])").plan(in: environment)
    for value in Self.all {
      let activation = Activation(slotCount: 1, limits: ExpressionLimits(budget: 200_000))
      activation.set(value, at: 0)
      _ = try? plan.evaluate(activation)
    }
    if format.hasSuffix("f") || format.hasSuffix("e") {
      let activation = Activation(slotCount: 1, limits: ExpressionLimits())
      activation.set(-0.0, at: 0)
      #expect(try plan.evaluate(activation).text?.contains("0") == true)
    }
  }
}
