internal import StreamKit

/// The translation of an operator to each target language; nil if there is none.
struct ExportRule: Sendable {
  typealias Writer = @Sendable (any OperatorFields, inout Fragment, ExportStep) throws(ExportRefusal) -> Void

  let name: String
  let swift: Writer?
  let rxjs: Writer?

  init<Fields: OperatorFields>(
    _: Fields.Type,
    swift: (@Sendable (Fields, inout Fragment, ExportStep) throws(ExportRefusal) -> Void)? = nil,
    rxjs: (@Sendable (Fields, inout Fragment, ExportStep) throws(ExportRefusal) -> Void)? = nil
  ) {
    name = Fields.spec.name
    self.swift = Self.erased(swift)
    self.rxjs = Self.erased(rxjs)
  }

  /// Returns the writer for fields of any operator; nil if there is none.
  private static func erased<Fields: OperatorFields>(
    _ write: (@Sendable (Fields, inout Fragment, ExportStep) throws(ExportRefusal) -> Void)?
  ) -> Writer? {
    guard let write else { return nil }
    return { (fields: any OperatorFields, fragment: inout Fragment, step: ExportStep) throws(ExportRefusal) in
      guard let fields = fields as? Fields else { throw ExportRefusal("the operator") }
      try write(fields, &fragment, step)
    }
  }

  /// Every operator that can be exported to something.
  static let table: [ExportRule] = transform + flattening + select + summarize + time + combine + failures

  func writer(for target: ExportTarget) -> Writer? {
    switch target {
    case .swift: swift
    case .rxjs: rxjs
    }
  }
}

extension ExportRefusal {
  /// Refuses fields that have no counterpart.
  static func unless(_ isLeftOut: Bool, _ field: String) throws(ExportRefusal) {
    if !isLeftOut { throw ExportRefusal("the field '\(field)'") }
  }
}
