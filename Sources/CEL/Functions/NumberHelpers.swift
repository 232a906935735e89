internal import CLibrary
import StreamCore

extension FunctionCatalogue {
  private static let numbers: [CELType] = [.int, .uint, .double]

  /// Functions for streams of measurements that CEL does not have.
  static let numberHelpers: [Function] = [
    Function(
      "round", "The double rounded to a number of digits after the decimal point, halves away from zero",
      [.function([.double, .int], .double)], mixed: [.function([.int, .int], .double)],
      .two { (value, digits, _) throws(EvaluationError) in
        guard let number = value.asDouble, case .int(let digits) = digits else {
          throw .noOverload("round", value, digits)
        }
        guard (0...15).contains(digits) else {
          throw EvaluationError(.indexOutOfBounds, "a double can be rounded to 0 to 15 digits, not to \(digits)")
        }
        let scale = powerOfTen(Int(digits))
        let scaled = (number * scale).rounded()
        // Beyond 2^53 a double has no digits after the decimal point.
        return .double(scaled.magnitude < 0x1p53 ? scaled / scale : number)
      }),
    Function(
      "clamp", "The number limited to the range between two bounds",
      numbers.map { .function([$0, $0, $0], $0) },
      .three { (value, low, high, _) throws(EvaluationError) in
        guard value.asDouble != nil, low.asDouble != nil, high.asDouble != nil else {
          throw .noOverload("clamp", value, low, high)
        }
        guard let order = low.exactOrder(high), order <= 0 else {
          throw EvaluationError(
            .indexOutOfBounds, "the lower limit \(low.shortText) is not below \(high.shortText)")
        }
        let result = value.exactOrder(low) == -1 ? low : value.exactOrder(high) == 1 ? high : value
        // If the types of the numbers differ, the result is a double, as in arithmetic.
        let isMixed = [low, high].contains { $0.typeName != value.typeName }
        return isMixed ? result.asDouble.map(Value.double) ?? result : result
      }),
    Function(
      "atan2", "The angle of the point (x, y), given as atan2(y, x), in radians",
      [.function([.double, .double], .double)],
      .two { (y, x, _) throws(EvaluationError) in
        guard case .double(let y) = y, case .double(let x) = x else { throw .noOverload("atan2", y, x) }
        return .double(atan2(y, x))
      }),
  ]

  private static func powerOfTen(_ digits: Int) -> Double {
    var result = 1.0
    for _ in 0..<digits { result *= 10 }
    return result
  }
}
