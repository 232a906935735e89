import StreamCombine
import StreamKit

/// The model of a form with one text field. A stream file decides which names are valid.
final class NameForm {
  /// The text in the field.
  @StreamInput var text = ""
  /// Whether that may be used as a name.
  private(set) var isValid = false {
    didSet { print("\(text): \(isValid ? "a name" : "no name")") }
  }

  private var subscription: AnyCancellable?

  /// Replaces the rules. The new rules start with the current text.
  func follow(_ rules: StreamModel) {
    subscription = rules.publisher(of: Bool.self, inputs: ["text": $text])
      .assign(to: \.isValid, onWeak: self) { print("the rules failed: \($0.message)") }
  }
}
