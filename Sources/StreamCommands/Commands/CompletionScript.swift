/// The completion scripts of the argument parser, extended for the default subcommand.
///
/// The parser's scripts complete the options of `run` after `streamrun run` only, but the subcommand may be omitted.
enum CompletionScript {
  /// Returns the output of the argument parser, with the extension if it is a script.
  static func extended(_ output: String, for arguments: [String]) -> String {
    guard arguments.contains("--generate-completion-script") else { return output }
    var script = output
    for (marker, addition) in additions {
      guard let place = script.firstRange(of: marker)?.lowerBound else { continue }
      script.insert(contentsOf: addition, at: place)
    }
    // NB: compgen removes the quotation marks of the word that it compares, so they are escaped.
    return script.replacing(#"compgen "${@}" -- "${cur}""#, with: #"compgen "${@}" -- "${word}""#)
  }

  /// Lines of the scripts, and the lines to add before each.
  static let additions: [(marker: String, addition: String)] = [
    (
      "    local completion\n    while IFS='' read -r completion; do\n",
      """
          local word="${cur}"
          [[ "${1}" = -W ]] && printf -v word %q "${cur}"

      """
    ),
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
