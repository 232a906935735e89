package import StreamCore
package import StreamFiles
package import StreamKit

extension StreamFile {
  /// Returns the warnings about a stream that compiles, with their locations; none about one that does not.
  ///
  /// - Parameters:
  ///   - loader: The loader of the file, which reads the files that it refers to.
  ///   - arguments: The arguments with which it is compiled.
  package func remarks(_ loader: FileLoader, _ arguments: CompileArguments) -> [Diagnostic] {
    var options = arguments.options(for: model, loader)
    let remarks = RemarkLog()
    options.remarks = remarks
    guard (try? compile(options)) != nil else { return [] }
    return remarks.all.map(FailureExplanation(stream: self, loader: loader).locate)
  }
}
