/// Helpers of exported Swift in addition to Combine, printed at the end of a file that uses them, in this order.
enum SwiftHelper: CaseIterable, Sendable {
  case json, access, member, element, has, count, text, order, arithmetic, elementAt, division, failure, reason
  case decode, merge, combineLatest, take, distinct, withLatestFrom

  /// The helpers without which this one does not compile.
  var requirements: [SwiftHelper] {
    switch self {
    case .json, .division, .elementAt, .merge, .take, .decode: []
    case .access, .member, .element, .has, .count, .text, .order, .failure: [.json]
    case .arithmetic: [.json, .access, .order]
    case .reason: [.json, .failure]
    case .combineLatest: [.merge]
    case .distinct: []
    case .withLatestFrom: [.merge]
    }
  }

  var code: String {
    switch self {
    case .json: SwiftHelperText.json
    case .access: SwiftHelperText.access
    case .member: SwiftHelperText.member
    case .element: SwiftHelperText.element
    case .has: SwiftHelperText.has
    case .count: SwiftHelperText.count
    case .text: SwiftHelperText.text
    case .order: SwiftHelperText.order
    case .arithmetic: SwiftHelperText.arithmetic
    case .elementAt: SwiftHelperText.elementAt
    case .division: SwiftHelperText.division
    case .failure: SwiftHelperText.failure
    case .reason: SwiftHelperText.reason
    case .decode: SwiftHelperText.decode
    case .merge: SwiftHelperText.merge
    case .combineLatest: SwiftHelperText.combineLatest
    case .take: SwiftHelperText.take
    case .distinct: SwiftHelperText.distinct
    case .withLatestFrom: SwiftHelperText.withLatestFrom
    }
  }

  /// Whether it needs Foundation.
  var importsFoundation: Bool { self == .decode }
}
