internal import StreamFiles

/// The arguments that git passes to an external diff program (`GIT_EXTERNAL_DIFF`, `diff.NAME.command`): a path; the
/// old file with its hash and mode; the same for the new file; and for a renamed file, its new path and the similarity.
struct GitDiffArguments {
  let path: String
  let newPath: String
  let old: String?
  let new: String?

  /// The path that git passes for a file that does not exist.
  private static let nothing = "/dev/null"

  /// Parses the arguments; nil if they do not come from git.
  init?(_ arguments: [String]) {
    guard arguments.count == 7 || arguments.count == 9 else { return nil }
    path = arguments[0]
    newPath = arguments.count == 9 ? arguments[7] : path
    old = arguments[1] == Self.nothing ? nil : arguments[1]
    new = arguments[4] == Self.nothing ? nil : arguments[4]
  }

  /// Returns the only argument that git passes for an unmerged file; nil for other arguments.
  static func unmergedPath(_ arguments: [String]) -> String? {
    arguments.count == 1 && ProcessEnvironment.variable("GIT_DIFF_PATH_TOTAL") != nil ? arguments[0] : nil
  }

  /// The names of both versions, as git writes them.
  var names: (String, String) {
    (old == nil ? Self.nothing : "a/\(path)", new == nil ? Self.nothing : "b/\(newPath)")
  }
}
