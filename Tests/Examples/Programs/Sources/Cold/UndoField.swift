import StreamCombine
import StreamKit

/// A text field with undo and redo. The file holds the history, so a view needs only the newest state.
public final class UndoField {
  /// An action of the user. `text` is the new text of `type`, and unused otherwise.
  public struct Edit: Codable, Sendable {
    public enum Action: String, Codable, Sendable { case type, undo, redo }
    public var action: Action
    public var text = ""
  }

  public struct State: Codable, Sendable, Equatable {
    public var text = ""
    public var past: [String] = []
    public var future: [String] = []
  }

  @Published public private(set) var state = State()
  private let edits = PassthroughInput<Edit>()

  private static let rules = """
    {
      "inputs": { "edits": { "type": { "action": "string", "text": "string" } } },
      "source": { "input": { "name": "edits" } },
      "operators": [
        { "scan": {
          "initialValue": { "text": "", "past": [], "future": [] },
          "expression": "value.action == 'type' && value.text != acc.text \
            ? {'text': value.text, 'past': acc.past + [acc.text], 'future': []} \
            : value.action == 'undo' && size(acc.past) > 0 \
            ? {'text': acc.past.last().value(), 'past': acc.past.slice(0, size(acc.past) - 1), \
               'future': [acc.text] + acc.future} \
            : value.action == 'redo' && size(acc.future) > 0 \
            ? {'text': acc.future[0], 'past': acc.past + [acc.text], 'future': acc.future.slice(1, size(acc.future))} \
            : acc"
        } },
        { "removeDuplicates": {} }
      ]
    }
    """

  public init() throws {
    let stream = try LiveStream(StreamModel(checking: Self.rules), inputs: ["edits": edits])
    stream.publisher(of: State.self, delivery: .immediate).failures(.log).assign(to: &$state)
  }

  public func type(_ text: String) { edits.send(Edit(action: .type, text: text)) }
  public func undo() { edits.send(Edit(action: .undo)) }
  public func redo() { edits.send(Edit(action: .redo)) }
}
