import StreamCore
import StreamTesting
import Testing

@testable import StreamKit

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

  @Test("Nothing lies upon anything else")
  func places() {
    var widest = 0
    for graph in Self.graphs {
      let layers = GraphLayers(nodeCount: graph.nodes.count, edges: graph.edges)
      let places = GraphPlaces(layers)
      for layer in layers.layers {
        widest = max(widest, layer.count)
        for (item, next) in zip(layer, layer.dropFirst()) {
          let areNodes = layers.items[item].node != nil && layers.items[next].node != nil
          #expect(places.middles[next] - places.middles[item] >= (areNodes ? 60 : 30))
        }
      }
      #expect(places.middles.allSatisfy { $0 >= 0 })
    }
    #expect(widest > 3)
  }

  @Test("A named stream is one node, however many take it")
  func shared() throws {
    let json = #"""
      {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}}}, "source": {"stream": {"name": "s"}},
       "operators": [{"merge": {"with": ["s", "a"]}}, {"zip": {"with": ["s"]}}]}
      """#
    let graph = StreamGraph(StreamOutline(try StreamModel(JSONDocument(reading: json, file: "s.json").value)))
    #expect(graph.nodes.map(\.name) == ["a", "s", "merge", "zip", "output"])
    let edges = graph.edges.map { "\(graph.nodes[$0.from].name)→\(graph.nodes[$0.to].name)" }.sorted()
    #expect(edges == ["a→merge", "a→s", "merge→zip", "s→merge", "s→zip", "zip→output"])
  }
}
