internal import CEL
public import StreamCore
public import StreamKit

/// Translates a stream to source code: Swift with Combine, or JavaScript with RxJS.
public struct StreamExporter: Sendable {
  private let target: ExportTarget
  private let options: CompileOptions

  /// - Parameters:
  ///   - target: The language and library of the code.
  ///   - options: The loader for files that are referred to. The host is ignored: the code takes its functions as
  ///     parameters.
  public init(_ target: ExportTarget, options: CompileOptions = CompileOptions()) {
    self.target = target
    var options = options
    options.host = .any
    self.options = options
  }

  /// Returns the names of the sources and operators that can be exported, in the order of the catalog; `stream` means
  /// items.
  public static func names(for target: ExportTarget) -> (sources: [String], operators: [String]) {
    let rules = Set(ExportRule.table.filter { $0.writer(for: target) != nil }.map(\.name))
    return (ExportSources.names, Operator.table.map(\.spec.name).filter(rules.contains))
  }

  /// Returns the code for the stream of a file.
  ///
  /// - Throws: The errors in the stream, or `notExportable` for each operator, source and expression without a
  ///   translation.
  public func code(of stream: StreamFile) throws(Diagnostics) -> String {
    _ = try stream.compile(options)
    if stream.model.partition != nil {
      throw Diagnostics([
        stream.document.locate(
          Diagnostic(
            .notExportable, "a partitioned stream cannot be exported", at: JSONPointer(["partition"]), part: .key,
            help: "write the operators within 'groupBy'"))
      ])
    }
    var argumentTypes: [String: SwiftType] = [:]
    // The parameter of a function has the common type of its arguments, which the first walk determines.
    while true {
      let walk = ExportWalk(target, options: options, argumentTypes: argumentTypes)
      var fragment = walk.stream(of: stream)
      try walk.diagnostics.throwErrors()
      if fragment.type == .never { fragment.settle(as: .json) }
      if fragment.type == .json { walk.swift.needs(.json) }
      let hasSettled = walk.functions.allSatisfy { walk.argumentTypes[$0.name] == $0.argument }
      if hasSettled {
        switch target {
        case .swift: return SwiftFileWriter(walk: walk, model: stream.model, main: fragment).text
        case .rxjs: return JavaScriptFileWriter(walk: walk, model: stream.model, main: fragment).text
        }
      }
      argumentTypes = walk.argumentTypes
    }
  }
}
