import Testing

@testable import CEL

/// The kinds of types, by which most calls that do not match are found.
@Suite struct TypeKindTests {
  private static let types: [CELType] = [
    .dyn, .undetermined, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type(.dyn),
    .list(.int), .list(.string), .map(.string, .int), .record([RecordField("a", .int)]), .optional(.int),
    .opaque("net.IP"), .optional(.list(.int)), .optional(.map(.string, .int)),
  ]

  @Test("No matching overload is skipped")
  func matchingOverloadSkipped() {
    var fitting = 0
    for function in FunctionCatalogue.functions.values {
      for signature in function.signatures(.mixed) {
        for arguments in Self.arguments(signature.parameters.count) {
          for isWidening in [false, true] {
            let result = signature.result(for: arguments, isMember: signature.isMember, widening: isWidening)
            guard result != nil else { continue }
            fitting += 1
            #expect(signature.mayTake(arguments, widening: isWidening), "\(signature) of \(arguments)")
          }
        }
      }
    }
    #expect(fitting > 1_000)
  }

  @Test("Most overloads that do not match are skipped")
  func mostOverloadsDo() throws {
    let sum = try #require(FunctionCatalogue.functions[Operators.add])
    let taken = sum.signatures(.mixed).count { $0.mayTake([.int, .int], widening: false) }
    #expect(taken == 1)
  }

  /// All pairs of types for the first two arguments; the third, where there is one, is anything.
  private static func arguments(_ count: Int) -> [[CELType]] {
    switch count {
    case 0: [[]]
    case 1: types.map { [$0] }
    default:
      types.flatMap { first in
        types.map { [first, $0] + Array(repeating: .dyn, count: count - 2) }
      }
    }
  }
}
