/// The words and sentences that users never read: a list of patterns, with an alternative for each.
struct PlainLanguage {
  /// A pattern and the reason why it is refused.
  struct Rule {
    let pattern: Regex<Substring>
    let advice: String

    init(_ pattern: Regex<Substring>, _ advice: String) {
      self.pattern = pattern
      self.advice = advice
    }
  }

  /// The advice for each rule that a text breaks, with the words that break it.
  static func problems(in text: String) -> [String] {
    rules.compactMap { rule in
      text.firstMatch(of: rule.pattern).map { "'\($0.output)': \(rule.advice)" }
    }
  }

  nonisolated(unsafe) private static let rules: [Rule] = [
    // Pronouns for nouns.
    Rule(#/(?:^|[.:;]\s|\n)\s*(?:What|Who|Whose|Of|That|Where)\s/#, "begin the sentence with a noun or a verb"),
    Rule(#/^(?:what|who|whose) /#, "begin the message with a noun or a verb"),
    Rule(#/\b[Tt]he ones? that\b/#, "repeat the noun"),
    Rule(#/\b(?:of which|with whose|in whose)\b/#, "use two sentences or an active verb"),
    Rule(#/\bwhat (?:comes|came|goes|passes|stands|is upstream)\b/#, "name the values"),
    // Verbs.
    Rule(#/\b(?:is|are) (?:had|told|looked at|asked about)\b/#, "use a plain verb, such as 'reports' or 'reads'"),
    Rule(#/\b(?:says?|tells?) (?:what|which|how|so)\b/#, "use a plain verb, such as 'reports' or 'describes'"),
    Rule(
      #/\bstands? (?:at|in|for|on|beside|behind|before|there|here|alone|still|twice|so)\b/#, "use 'is' or 'appears'"),
    Rule(
      #/\b(?:comes? of|hands? on|hands? over|passed over|goes on|runs on|goes with)\b/#, "use 'continues' or 'passes'"),
    Rule(#/\b(?:is|are) gone through\b/#, "use 'is iterated over'"),
    Rule(#/\btak(?:es?|en) (?:it |them |one of them |the \w+ )?away\b/#, "use 'remove'"),
    Rule(#/\bsuch as are\b/#, "leave out 'are'"),
    Rule(#/(?:^|\W)(?![Tt]here\b)[\w…]+['")…]* (?:is|are) no (?!longer\b|more\b)/#, "use 'is not a'"),
    Rule(#/\b(?:exclude each other|going with)\b/#, "use 'cannot be combined'"),
    // Adverbs and prepositions.
    Rule(#/\b(?:by itself|anew|in place of|by turns|meanwhile|anyhow)\b/#, "use 'again', 'instead of' or 'in turn'"),
    Rule(#/\bone (?:JSON )?value a line\b/#, "use 'per'"),
    // Words with another meaning in this project, or none.
    Rule(
      #/\b(?:way|ways|lane|passage|unfold|aside|strange|home|answers|carry|carries|first look)\b/#, "use another word"),
    // British spelling.
    Rule(
      #/\b(?:[Bb]ehaviour\w*|[Cc]olour\w*|[Cc]ancell(?:ed|ing)|[Ff]avour\w*|[Nn]eighbour\w*|spelt|learnt|[Tt]owards)\b/#,
      "use American spelling"),
    Rule(
      #/\b(?:[Rr]ecogni|[Ii]nitiali|[Oo]ptimi|[Ss]ummari|[Ss]peciali|[Ss]ynchroni|[Nn]ormali|[Ss]eriali)s(?:e[sdr]?|ing|ation)\b/#,
      "use American spelling"),
  ]
}
