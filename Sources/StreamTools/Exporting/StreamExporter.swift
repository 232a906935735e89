internal import CEL
public import StreamCore
public import StreamKit

/// Writes a stream as code that people take over: Swift with Combine, or JavaScript with RxJS.
public struct StreamExporter: Sendable {
  private let target: ExportTarget
  private let options: CompileOptions

  /// - Parameter target: the language of the code.
  /// - Parameter options: how files that are named are read. What the host offers does not count: the code asks for it.
  public init(_ target: ExportTarget, options: CompileOptions = CompileOptions()) {
    self.target = target
    var options = options
    options.host = .any
    self.options = options
  }

  /// The names of the sources and operators that can be exported, in the order of the catalogue; `stream` are items.
  public static func names(for target: ExportTarget) -> (sources: [String], operators: [String]) {
    let rules = Set(ExportRule.table.filter { $0.writer(for: target) != nil }.map(\.name))
    return (ExportSources.names, Operator.table.map(\.spec.name).filter(rules.contains))
  }

  /// The code of a file's stream.
  ///
  /// - Throws: what is wrong with the stream; else `notExportable` for each operator, source and expression that has no
  ///   translation.
  public func code(of stream: StreamFile) throws(Diagnostics) -> String {
    _ = try stream.compile(options)
    var argumentTypes: [String: SwiftType] = [:]
    // Where calls of a function have arguments of several types, it takes what all are: known after the first walk.
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
