/// The streams of an input on which its operations can work: those with values of their own.
struct StreamDirectory {
  /// A stream and the name under which other files embed it.
  struct Entry {
    var name: String
    var model: PlaygroundModel
    var items: [PlaygroundItem]
  }

  /// The streams, default ones first: the order in which operations without references take them.
  let entries: [Entry]
  /// Number of default streams.
  let defaultCount: Int

  init(_ models: [PlaygroundModel]) {
    var names = NameTable()
    var ids: Set<String> = []
    var entries: [Entry] = []
    for model in models {
      guard case .items(let items) = model.body else { continue }
      // `currentStream` repeats one of the others.
      if let id = model.id, !ids.insert(id.uppercased()).inserted { continue }
      let wanted = model.name.flatMap { $0.isEmpty ? nil : $0 } ?? "Stream \(entries.count + 1)"
      entries.append(Entry(name: names.unique(wanted), model: model, items: items))
    }
    let defaults = entries.filter(\.model.isDefault)
    self.entries = defaults + entries.filter { !$0.model.isDefault }
    defaultCount = defaults.count
  }

  /// The stream of an id; the case of its letters does not matter.
  func entry(withID id: String) -> Entry? {
    entries.first { $0.model.id?.uppercased() == id.uppercased() }
  }

  /// The stream that an operation without references takes at this place.
  func entry(at place: Int) -> Entry? {
    entries.indices.contains(place) ? entries[place] : nil
  }
}

/// A table of unique names.
struct NameTable {
  private var taken: Set<String> = []

  /// Returns the name, with a number appended if it is taken.
  mutating func unique(_ wanted: String) -> String {
    var name = wanted
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(wanted) \(number)"
      number += 1
    }
    return name
  }
}
