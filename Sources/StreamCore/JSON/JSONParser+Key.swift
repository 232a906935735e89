extension JSONParser {
  /// Reads the first key and its colon after an opening brace. Returns false for an empty object.
  @inline(__always)
  mutating func readFirstKey(_ workspace: inout JSONWorkspace) throws(JSONError) -> Bool {
    guard position < end else { throw unexpectedEnd(workspace) }
    if base[position] == UInt8(ascii: "}") { return false }
    try readKey(&workspace)
    return true
  }

  /// Reads a key, its colon and the white space up to the value.
  @inline(__always)
  mutating func readKey(_ workspace: inout JSONWorkspace) throws(JSONError) {
    guard base[position] == UInt8(ascii: "\"") else { throw keyExpected(workspace) }
    let start = position
    if current.ownKeys == nil {
      let (node, count) = workspace.shapes.plainChild(
        of: current.node, at: base + start + 1, available: end - start - 1)
      if node >= 0 {
        position = start + count + 2
        current.node = node
      } else {
        try readNewKey(&workspace)
      }
    } else {
      try readNewKey(&workspace)
    }
    if Recorder.collects { recorder.key(start..<position) }
    skipSpace()
    guard position < end else { throw unexpectedEnd(workspace) }
    guard base[position] == UInt8(ascii: ":") else { throw colonExpected(workspace) }
    position += 1
    skipSpace()
    guard position < end else { throw unexpectedEnd(workspace) }
  }

  /// Reads a key that is not among the children of the shape cache's node.
  @inline(never)
  private mutating func readNewKey(_ workspace: inout JSONWorkspace) throws(JSONError) {
    let start = position
    var name = try readString(&workspace)
    let isPlain = name.utf8.count == position - start - 2
    if current.ownKeys == nil {
      let node = current.node
      switch name.withUTF8({ workspace.shapes.child(of: node, key: $0, isPlain: isPlain) }) {
      case .node(let child):
        current.node = child
        return
      case .duplicate(let place):
        return try duplicate(name, at: start, first: place, workspace)
      case .refused:
        current.ownKeys = JSONFrame.OwnKeys(workspace.shapes.keys(of: node))
      }
    }
    if let place = current.ownKeys?.add(name) { try duplicate(name, at: start, first: place, workspace) }
  }

  private mutating func duplicate(
    _ name: String, at start: Int, first place: Int, _ workspace: JSONWorkspace
  ) throws(JSONError) {
    let error = duplicateKey(name, start..<position, first: recorder.keyRange(at: place), workspace)
    guard Recorder.collects, recorder.hasRoom else { throw error }
    recorder.collect(error)
    current.dropsNext = true
  }
}
