internal import CLibrary
import StreamCore

extension FunctionCatalogue {
  private static let numbers: [CELType] = [.int, .uint, .double]

  /// Exponential and trigonometric functions on doubles, by IEEE 754: NaN where they are not defined.
  static let powers: [Function] = [
    double("math.log", "The natural logarithm") { log($0) },
    double("math.log10", "The logarithm to base 10") { log10($0) },
    double("math.exp", "The power of e with this exponent") { exp($0) },
    double("math.sin", "The sine of an angle in radians") { sin($0) },
    double("math.cos", "The cosine of an angle in radians") { cos($0) },
    double("math.tan", "The tangent of an angle in radians") { tan($0) },
    double("math.asin", "The angle with this sine, in radians") { asin($0) },
    double("math.acos", "The angle with this cosine, in radians") { acos($0) },
    double("math.atan", "The angle with this tangent, in radians") { atan($0) },
    doubles("math.atan2", "The angle of the point (x, y), given as math.atan2(y, x), in radians") { atan2($0, $1) },
    doubles("math.pow", "The power of a base with an exponent, as a double") { pow($0, $1) },
    Function(
      "math.pi", "The circumference of a circle with diameter 1", [.function([], .double)], .none { _ in .double(.pi) }),
  ]

  private static func double(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (Double) -> Double
  ) -> Function {
    Function(
      name, summary, cost: .linear.plus(perCall: 4), numbers.map { .function([$0], .double) },
      .one { (value, _) throws(EvaluationError) in
        guard let number = value.asDouble else { throw .noOverload(name, value) }
        return .double(body(number))
      })
  }

  private static func doubles(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (Double, Double) -> Double
  ) -> Function {
    Function(
      name, summary, cost: .linear.plus(perCall: 6), [.function([.double, .double], .double)],
      .two { (first, second, _) throws(EvaluationError) in
        guard case .double(let a) = first, case .double(let b) = second else { throw .noOverload(name, first, second) }
        return .double(body(a, b))
      })
  }
}
