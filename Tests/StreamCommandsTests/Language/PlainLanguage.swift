/// The language of the project: American English with a noun as the subject of each sentence.
///
/// The one list of refused words. Code in backticks is not checked.
struct PlainLanguage {
  /// The kind of a text, since some words are plain in one kind only.
  enum Kind: CaseIterable {
    /// A string in the sources: a message, or a part of one.
    case message
    /// A summary, or the title of an example.
    case reference
    /// A comment, or the name of a test.
    case comment
    /// A paragraph of a page.
    case page
  }

  /// A pattern and an alternative for the words that it matches. It matches the text in lowercase unless it is
  /// case-sensitive.
  private struct Rule {
    let pattern: Regex<Substring>
    let advice: String
    let isCaseSensitive: Bool
    let kinds: Set<Kind>

    init(_ pattern: Regex<Substring>, _ advice: String, isCaseSensitive: Bool = false, in kinds: Kind...) {
      // NB: The default matches words and characters of Unicode, which takes longer.
      self.pattern = pattern.wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
      self.advice = advice
      self.isCaseSensitive = isCaseSensitive
      self.kinds = Set(kinds.isEmpty ? Kind.allCases : kinds)
    }
  }

  /// Returns the refused words of a text, each with an alternative.
  static func problems(in text: String, _ kind: Kind) -> [String] {
    let prose = withoutCode(text)
    let lowercase = prose.lowercased()
    return rules.filter { $0.kinds.contains(kind) }.compactMap { rule in
      (rule.isCaseSensitive ? prose : lowercase).firstMatch(of: rule.pattern).map { match in
        let words = match.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "'\(words)': \(rule.advice)"
      }
    }
  }

  /// Replaces spans and blocks of code by the word "code".
  private static func withoutCode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "`")) else { return text }
    return text.replacing(#/```.*?```/#.dotMatchesNewlines(), with: "code").replacing(#/`[^`\n]*`/#, with: "code")
  }

  nonisolated(unsafe) private static let rules = subjects + verbs + adverbs + otherWords + britishSpellings

  nonisolated(unsafe) private static let subjects = [
    Rule(
      #/(?:^|[.?!]\s|\n)\s*(?:what|whatever|who|whoever|whose|of|that|where)\s/#,
      "begin the sentence with a noun or a verb", in: .reference, .comment, .page),
    // A message may be a part of a sentence.
    Rule(#/^(?:what|who|whose)\s/#, "begin the message with a noun or a verb", in: .message),
    Rule(
      #/(?:^|[.:;]\s|\n)\s*(?:What|Whatever|Who|Whoever|Whose|Of|That|Where)\s/#,
      "begin the sentence with a noun or a verb", isCaseSensitive: true, in: .message),
    Rule(
      #/[:;]\s+(?:What|Whatever|Who|Whoever|Whose|Of|That|Where)\s/#,
      "begin the sentence with a noun or a verb", isCaseSensitive: true, in: .reference, .comment, .page),
    Rule(#/\bthe ones? that\b/#, "repeat the noun"),
    Rule(#/\b(?:of which|of whose|with whose|in whose)\b/#, "use two sentences or an active verb"),
    Rule(#/\bwhat (?:comes|came|goes|passes|stands|is upstream)\b/#, "name the values"),
    Rule(#/\b(?:nobody|anybody|somebody|whoever)\b/#, "name the role, or write about the thing", in: .comment),
    Rule(#/\bnobody has asked\b/#, "name the operator or the subscriber"),
  ]

  nonisolated(unsafe) private static let verbs = [
    Rule(#/\b(?:is|are) (?:had|told|looked at|asked about)\b/#, "use a plain verb, such as 'reports' or 'reads'"),
    Rule(#/\b(?:says?|tells?) (?:what|which|how|so)\b/#, "use a plain verb, such as 'reports' or 'describes'"),
    Rule(#/\b(?:tells?|told|hears?)\b(?!:)/#, "use 'reports', 'distinguishes' or 'receives'", in: .comment),
    Rule(#/\b(?:look|looks|looked) at\b/#, "use 'reads', 'checks' or 'inspects'", in: .comment),
    Rule(#/\blets? (?:\w+ )?go\b/#, "use 'releases' or 'cancels'", in: .comment),
    Rule(
      #/\bstands? (?:at|in|for|on|beside|behind|before|there|here|alone|still|twice|so)\b/#, "use 'is' or 'appears'",
      in: .message, .reference),
    Rule(
      #/\bstands? (?:at|in(?! for\b)|on|beside|behind|before|there|here|alone|still|twice|so)\b/#,
      "use 'is' or 'appears'"),
    Rule(
      #/\b(?:comes? of|hands? on|handed on|hands? over|passed over|goes? on|went on|goes with)\b/#,
      "use 'continues' or 'passes'"),
    Rule(#/\bruns on\b/#, "use 'continues'", in: .message, .reference),
    Rule(#/\b(?:is|are) gone through\b/#, "use 'is iterated over'"),
    Rule(#/\btak(?:es?|en) (?:it |them |one of them |the \w+ )?away\b/#, "use 'remove'"),
    Rule(#/\bsuch as are\b/#, "leave out 'are'"),
    Rule(#/(?:^|\W)(?!there\b)[\w…]+['")…]* (?:is|are) no (?!longer\b|more\b)/#, "use 'is not a'"),
    Rule(#/\b(?:exclude each other|going with)\b/#, "use 'cannot be combined'"),
  ]

  nonisolated(unsafe) private static let adverbs = [
    Rule(#/\b(?:by itself|anew|in place of|by turns|anyhow)\b/#, "use 'again', 'instead of' or 'in turn'"),
    Rule(#/\bmeanwhile\b/#, "use 'then' or 'until then'", in: .message, .reference),
    Rule(#/\bin place\b/#, "use 'instead' or 'inline'", in: .reference),
    Rule(#/\bone (?:json )?value a line\b/#, "use 'per'"),
    Rule(#/\bany more\b(?! than\b)/#, "use 'no longer'", in: .comment, .page),
    Rule(#/\bfor ever\b/#, "use 'forever' or 'without a limit'", in: .comment, .page),
    Rule(#/\bas (?:it is|they are|it was)(?:[.,;:)]|$)/#, "use 'unchanged'", in: .comment, .page),
    Rule(#/\b(?:is|are|was|were) there(?:[.,;:)]|$)/#, "use 'exists' or 'is present'", in: .comment, .page),
  ]

  /// Words with another meaning in this project, or none.
  nonisolated(unsafe) private static let otherWords = [
    Rule(#/\b(?:ways?|carry|carries|carried|answers)\b/#, "use another word", in: .message, .reference),
    Rule(#/\b(?:fold|folds|folded)\b/#, "use another word", in: .reference),
    Rule(
      #/\b(?:lanes?|passages?|unfold(?:s|ed)?|aside|stranger?|first look|foreseen)\b/#, "use another word"),
    Rule(#/\bhome\b/#, "use another word", isCaseSensitive: true),
  ]

  nonisolated(unsafe) private static let britishSpellings = [
    Rule(#/behaviour|colour|favour|honour|neighbour/#, "use American spelling"),
    // Words that end in "ize" in American English.
    Rule(
      #/
        \b(?:author|capital|categor|character|custom|emphas|final|general|initial|local|maxim|memor|minim|normal|optim
        |organ|parametr|priorit|real|recogn|serial|special|standard|summar|symbol|synchron|synthes|token|util|visual)
        is[aei]\w*
      /#, "use American spelling"),
    Rule(#/\b(?:cancel|label|model|travel|signal)l(?:ed|ing)\b/#, "use American spelling"),
    Rule(
      #/
        \b(?:analys(?:e|ed|ing)|centred?|grey|licence|defence|whilst|amongst|spelt|misspelt|learnt|towards|artefact
        |fulfil|judgement)\b
      /#, "use American spelling"),
  ]
}
