package import StreamCore
internal import StreamFiles
package import StreamKit

/// The values that the arguments give to the parameters of a stream file.
package struct ParameterRequest: Equatable, Sendable {
  /// The values, as `--set` gives them.
  package var set: [NamedArgument]
  /// The files with objects of values.
  package var files: [String]

  /// The longest file with values, in bytes.
  private static let longestFile = 16 << 20

  package init(set: [NamedArgument] = [], files: [String] = []) { (self.set, self.files) = (set, files) }

  /// Returns the values for the parameters of a model.
  ///
  /// - Parameter setsInputs: Whether `--set` also gives initial values to inputs, so that other names are not refused
  ///   here.
  /// - Throws: The errors in the files, and names that are given twice.
  package func arguments(
    for model: StreamModel, setsInputs: Bool = false
  ) throws(Diagnostics) -> [String: ParameterArgument] {
    var arguments: [String: ParameterArgument] = [:]
    for path in files {
      let bytes: [UInt8]
      do throws(Diagnostic) {
        bytes = try FileContents.read(path, name: path, limit: Self.longestFile)
      } catch {
        throw Diagnostics([error])
      }
      let document = try JSONDocument(reading: bytes, file: path)
      guard case .map(let map) = document.value else {
        throw Diagnostics([
          document.locate(
            Diagnostic(
              .wrongType, "--parameters \(path): expected an object; found \(document.value.describedType)",
              help: "write {\"name\": value, …}"))
        ])
      }
      for case (.string(let name), let value) in map.pairs {
        arguments[name] = ParameterArgument(.value(value), origin: "--parameters \(path), '\(name)'")
      }
    }
    var seen: Set<String> = []
    for argument in set where !setsInputs || model.parameters[argument.name] != nil {
      guard seen.insert(argument.name).inserted else {
        throw Diagnostics(
          .invalidArgument, "the parameter '\(argument.name)' is set twice", help: "give a single --set")
      }
      arguments[argument.name] = ParameterArgument(
        .text(argument.text), origin: "--set \(argument.name)=\(argument.text)")
    }
    return arguments
  }
}
