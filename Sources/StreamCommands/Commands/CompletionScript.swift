/// The completion scripts of the argument parser, extended for the default subcommand.
///
/// The parser's scripts complete the options of `run` after `streamrun run` only, but the subcommand may be omitted.
enum CompletionScript {
  /// Returns the output of the argument parser, with the extension if it is a script.
  static func extended(_ output: String, for arguments: [String]) -> String {
    guard arguments.contains("--generate-completion-script") else { return output }
    for (marker, addition) in additions {
      if let place = output.firstRange(of: marker)?.lowerBound {
        return String(output[..<place] + addition + output[place...])
      }
    }
    return output
  }

  /// A line of each script, and the lines to add before it.
  static let additions: [(marker: String, addition: String)] = [
    (
      "    __streamrun_offer_flags_options 0\n",
      """
          if [[ "${COMP_CWORD}" -gt 1 && "${COMP_WORDS[1]}" = -* && "${COMP_WORDS[1]}" != @(--version|-h|--help) ]]; then
              _streamrun_run
              return
          fi

      """
    ),
    (
      "    local -i ret=1\n    local -ar arg_specs=(\n        '--version[",
      """
          if [[ "${CURRENT}" -gt 2 && "${words[2]}" = -* && "${words[2]}" != (--version|-h|--help) ]]; then
              _streamrun_run
              return
          fi

      """
    ),
    (
      "    switch $unparsed_tokens[1]\n    case 'streamrun'\n",
      """
          if string match -q -- '-*' $unparsed_tokens[2]; and not contains -- $unparsed_tokens[2] --version -h --help
              set unparsed_tokens $unparsed_tokens[1] run $unparsed_tokens[2..]
          end

      """
    ),
  ]
}
