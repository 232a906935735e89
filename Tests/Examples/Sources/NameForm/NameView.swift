#if canImport(SwiftUI)
import StreamCombine
import StreamKit
import SwiftUI

/// The same form in SwiftUI.
@MainActor final class NameViewModel: ObservableObject {
  @StreamInput var text = ""
  @Published private(set) var isValid = false
  private var subscription: AnyCancellable?
  private var changes: StreamToken?

  init(rules: StreamModel) {
    subscription = rules.publisher(of: Bool.self, inputs: ["text": $text])
      .assign(to: \.isValid, onWeak: self)
    // A text that is set by code is shown, too.
    changes = $text.observe { [weak self] _ in
      Task { @MainActor [weak self] in self?.objectWillChange.send() }
    }
  }
}

struct NameView: View {
  @StateObject var model: NameViewModel

  var body: some View {
    VStack {
      TextField("Your name", text: model.$text.binding)
      Button("Join") {}.disabled(!model.isValid)
    }
  }
}
#endif
