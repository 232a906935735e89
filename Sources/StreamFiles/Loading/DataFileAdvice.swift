internal import StreamCore
internal import StreamKit

extension Diagnostics {
  /// Returns the errors of a text that was read as a stream file. If it is a file of data, which other tools take as
  /// their argument, a single error explains how to name it.
  ///
  /// - Parameters:
  ///   - path: The path that the user has written; `-` is standard input.
  ///   - value: The value of the text; nil if it is not a JSON text.
  func advised(forData path: String, _ value: Value?) -> Diagnostics {
    guard var first = all.first(where: { $0.severity == .error }) else { return self }
    let name = Path.name(of: path).lowercased()
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
      first.notes.append(first.message)
      first.message = "a stream file is JSON, and '\(path)' is YAML"
      first.help = "convert it: yq -o=json . \(path) > stream.json"
      return Diagnostics([first])
    }
    let format = FileFormat(ofFile: path).flatMap { $0 == .json ? nil : $0 }
    // Several values, an array, or an object without a member that is, or resembles, a member of a stream.
    let isData: Bool
    switch value {
    case nil:
      let isFollowed = first.code == .trailingText && ["'{'", "'['"].contains(where: first.message.hasSuffix)
      isData = format != nil || isFollowed
    case .map(let map)?:
      let strange = all.count { $0.code == .unknownKey && $0.help?.hasPrefix("did you mean") != true }
      isData = map.count > 0 && strange == map.count
    case _?: isData = true
    }
    guard isData else { return self }
    let data = path == StandardInput.argument ? "" : " --input \(path)"
    let cure = "for data, write streamrun -e 'map(value)'\(data), with the operators in quotes"
    if let format {
      first.notes.append(first.message)
      first.message = "a stream file is JSON, and '\(path)' is \(format.isTable ? "a table" : "data")"
      first.help = cure
    } else {
      first.help = first.help.map { "\($0); \(cure)" } ?? cure
    }
    return Diagnostics([first])
  }
}
