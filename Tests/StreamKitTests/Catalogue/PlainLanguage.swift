/// The language that people read: American English with a noun as the subject of each sentence.
///
/// Code in backticks is not checked.
enum PlainLanguage {
  /// The first rule that a text breaks; nil if it keeps to all of them.
  static func problem(in text: String) -> String? {
    let prose = withoutCode(text)
    for sentence in sentences(of: prose) {
      if let word = words(of: sentence).first, openings.contains(word) { return "a sentence begins with '\(word)'" }
    }
    let words = words(of: prose)
    if let word = words.first(where: isBritish) { return "'\(word)' is a British spelling" }
    let line = " " + words.joined(separator: " ") + " "
    if let phrase = (phrases + refusedWords).first(where: { line.contains(" \($0) ") }) {
      return "'\(phrase)' is refused"
    }
    return nil
  }

  /// Words that stand in for a noun at the beginning of a sentence.
  static let openings: Set<String> = ["what", "whatever", "of", "that", "who", "whoever", "whose", "where"]

  static let phrases = [
    "the one that", "the ones that", "of which", "of whose", "is had", "are had", "is told", "are told",
    "comes of", "come of", "hands on", "handed on", "in place", "by itself", "such as are", "is looked at",
    "are looked at", "what comes in", "what comes out", "nobody has asked", "goes on with",
  ]

  static let refusedWords = [
    "way", "ways", "lane", "lanes", "passage", "passages", "fold", "folds", "folded", "unfold", "unfolds", "unfolded",
    "aside", "strange", "stranger", "home", "answers", "carry", "carries", "carried", "first look", "foreseen",
  ]

  // MARK: British spelling

  static func isBritish(_ word: String) -> Bool {
    british.contains(word) || infixes.contains(where: word.contains)
      || stems.contains { stem in ["ise", "isa", "isi"].contains { word.hasPrefix(stem + $0) } }
  }

  private static let british: Set<String> = [
    "cancelled", "cancelling", "labelled", "labelling", "modelled", "modelling", "travelled", "travelling", "signalled",
    "signalling", "analyse", "analysed", "analysing", "centre", "centred", "grey", "licence", "defence", "whilst",
    "amongst", "spelt", "learnt", "artefact", "fulfil", "judgement",
  ]

  private static let infixes = ["behaviour", "colour", "favour", "honour", "neighbour"]

  /// Words that end in "ize" in American English.
  private static let stems = [
    "author", "capital", "categor", "character", "custom", "emphas", "final", "general", "initial", "local", "maxim",
    "memor", "minim", "normal", "optim", "organ", "parametr", "priorit", "real", "recogn", "serial", "special",
    "standard", "summar", "symbol", "synthes", "token", "util", "visual",
  ]

  // MARK: Parts of a text

  private static func withoutCode(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "code" }.joined()
  }

  private static func sentences(of text: String) -> [String] {
    var sentences: [String] = []
    var rest = ""
    for character in text {
      if character == " ", let last = rest.last, ".?!".contains(last) {
        sentences.append(rest)
        rest = ""
      } else {
        rest.append(character)
      }
    }
    return sentences + [rest]
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
  }
}
