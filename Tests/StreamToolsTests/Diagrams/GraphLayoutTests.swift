import StreamCore
import StreamTesting
import TestSupport
import Testing

@testable import StreamKit
@testable import StreamTools

/// Graphs of random files, laid out.
@Suite struct GraphLayoutTests {
  static let graphs: [StreamGraph] = {
    var random = RandomModel(seed: 7)
    return (0..<300).map { _ in StreamGraph(StreamOutline(random.model(), host: .any)) }
  }()

  @Test("Edges lead to the right, through every layer in between")
  func layers() {
    for graph in Self.graphs {
      let layers = GraphLayers(nodeCount: graph.nodes.count, edges: graph.edges)
      #expect(layers.ways.count == graph.edges.count)
      for (edge, way) in zip(graph.edges, layers.ways) {
        #expect(way.first == edge.from && way.last == edge.to)
        let steps = zip(way, way.dropFirst()).map { layers.items[$1].layer - layers.items[$0].layer }
        #expect(steps.allSatisfy { $0 == 1 })
      }
      #expect(layers.layers.joined().count == layers.items.count)
    }
  }

  @Test("Nothing lies upon anything else", arguments: [false, true])
  func places(differ: Bool) {
    var widest = 0
    for graph in Self.graphs {
      let layers = GraphLayers(nodeCount: graph.nodes.count, edges: graph.edges)
      func extent(_ node: Int) -> Int { differ ? 40 + node * 67 % 300 : 44 }
      let places = GraphPlaces(layers, nodeExtent: extent)
      for layer in layers.layers {
        widest = max(widest, layer.count)
        for (item, next) in zip(layer, layer.dropFirst()) {
          let room = [item, next].map { layers.items[$0].node.map(extent) ?? 0 }.reduce(0) { $0 + $1 / 2 }
          #expect(places.middles[next] - places.middles[item] >= room + 15)
        }
      }
      for (item, middle) in zip(layers.items, places.middles) {
        let half = (item.node.map(extent) ?? 0) / 2
        #expect(middle >= half && middle + half <= places.size)
      }
    }
    #expect(widest > 3)
  }

  @Test("A long chain runs down a page, a short one across it", arguments: [(3, false), (40, true)])
  func directions(_ count: Int, _ runsDown: Bool) throws {
    let maps = Array(repeating: #"{"map": {"expression": "value + 1 - 1"}}"#, count: count)
    let json = #"{"stream": [{"value": 1}], "operators": [\#(maps.joined(separator: ", "))]}"#
    let graph = StreamGraph(StreamOutline(try stream(json).model))
    let svg = graph.svg(title: "chain")
    #expect(SVGCheck.problem(in: svg) == nil)
    let size = try #require(svg.firstMatch(of: #/width="(\d+)" height="(\d+)"/#))
    let (width, height) = (try #require(Int(size.1)), try #require(Int(size.2)))
    #expect(width <= 1_200)
    #expect((height > width) == runsDown)
    #expect(graph.mermaid.hasPrefix(runsDown ? "flowchart TB\n" : "flowchart LR\n"))
    #expect(graph.dot.contains(runsDown ? "rankdir=TB" : "rankdir=LR"))
  }

  @Test("A named stream is one node, however many take it")
  func shared() throws {
    let json = #"""
      {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}}}, "source": {"stream": {"name": "s"}},
       "operators": [{"merge": {"with": ["s", "a"]}}, {"zip": {"with": ["s"]}}]}
      """#
    let graph = StreamGraph(StreamOutline(try StreamModel(json: JSONDocument(reading: json, file: "s.json").value)))
    #expect(graph.nodes.map(\.name) == ["a", "s", "merge", "zip", "output"])
    let edges = graph.edges.map { "\(graph.nodes[$0.from].name)→\(graph.nodes[$0.to].name)" }.sorted()
    #expect(edges == ["a→merge", "a→s", "merge→zip", "s→merge", "s→zip", "zip→output"])
  }

  @Test("The stream of a file is one node, before those that take it; an input that files have in common is fed once")
  func files() throws {
    let files = FilesInMemory(files: [
      "b.json": #"""
      {"inputs": {"x": {}}, "source": {"input": {"name": "x"}}, "operators": [{"merge": {"with":
       [{"source": {"stream": {"file": "c.json"}}}]}}]}
      """#,
      "c.json": #"{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}, "operators": [{"count": {}}]}"#,
    ])
    let json = #"""
      {"inputs": {"x": {}}, "source": {"stream": {"file": "c.json"}},
       "operators": [{"zip": {"with": ["x", {"source": {"stream": {"file": "b.json"}}}]}}]}
      """#
    let options = CompileOptions(loader: files)
    let outline = StreamOutline(try stream(json), options: options)
    let graph = StreamGraph(outline)
    #expect(graph.nodes.map(\.name) == ["c.json", "b.json", "x", "count", "merge", "zip", "output"])
    let edges = graph.edges.map { "\(graph.nodes[$0.from].name)→\(graph.nodes[$0.to].name)" }.sorted()
    #expect(
      edges == [
        "b.json→zip", "c.json→merge", "c.json→zip", "count→c.json", "merge→b.json", "x→count", "x→merge", "x→zip",
        "zip→output",
      ])
    let explanation = try StreamExplanation(stream(json), options: options)
    let told = explanation.parts.filter { $0.kind == .operator }
    #expect(told.map(\.name) == ["count", "merge", "zip"])
    // The parts of other files that the compilation has found are found again.
    #expect(told.allSatisfy { $0.output != nil })
  }

  @Test("Files that refer to each other in a circle, or are not there, are drawn as far as that goes")
  func wrongFiles() throws {
    let files = FilesInMemory(files: [
      "a.json": #"{"source": {"stream": {"file": "b.json"}}, "operators": [{"count": {}}]}"#,
      "b.json": #"{"source": {"stream": {"file": "a.json"}}, "operators": [{"append": {"with":"#
        + #" [{"source": {"stream": {"file": "gone.json"}}}]}}]}"#,
    ])
    let first = try files.load("a.json", relativeTo: nil)
    let outline = StreamOutline(first, options: CompileOptions(loader: files))
    #expect(outline.files.map(\.name) == ["b.json"])
    #expect(StreamGraph(outline).nodes.map(\.name) == ["b.json", "append", "stream", "count", "output"])
    #expect(outline.tree().contains("file \"gone.json\""))
  }

  @Test("A graph of many long edges has none that pass through layers, and one with a circle has layers")
  func manyEdges() {
    let count = 300
    let all = (0..<count).flatMap { from in
      (from + 1..<count).map { StreamGraph.Edge(from: from, to: $0, isInner: false) }
    }
    let layers = GraphLayers(nodeCount: count, edges: all)
    #expect(layers.items.map(\.layer) == Array(0..<count))
    let circle = [(0, 1), (1, 2), (2, 0), (2, 3)].map { StreamGraph.Edge(from: $0, to: $1, isInner: false) }
    #expect(GraphLayers(nodeCount: 4, edges: circle).layers.joined().sorted() == [0, 1, 2, 3])
  }
}
