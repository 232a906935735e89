import StreamCore
import StreamKit
import StreamTesting
import Testing

/// The files that other tests are made of.
@Suite struct RandomModelTests {
  static let count = PropertyCount.cases(byDefault: 600)

  @Test("A seed gives the same files every time, all of them valid and most of them different")
  func files() throws {
    var texts: Set<String> = []
    var kinds: Set<String> = []
    var names: Set<String> = []
    for seed in 0..<Self.count {
      var first = RandomModel(seed: seed)
      var second = RandomModel(seed: seed)
      let model = first.model()
      let again = second.model()
      #expect(model == again, "seed \(seed)")
      #expect(RandomModel.valid(model.json) == model, "seed \(seed)")
      texts.insert(JSONWriter.compact(model.json))
      kinds.insert(model.source.definition?.spec.name ?? "items")
      names.formUnion(model.operators.map(\.operator.name))
    }
    #expect(texts.count > Int(Self.count) * 9 / 10)
    #expect(kinds.isSuperset(of: Source.table.map(\.spec.name).filter { $0 != "file" }))
    #expect(names == Set(Operator.table.map(\.spec.name) + ["apply"]))
  }

  @Test("A variant is valid, and seldom the same")
  func variants() throws {
    var different = 0
    for seed in 0..<200 as Swift.Range<UInt64> {
      var random = RandomModel(seed: seed)
      let model = random.model()
      let variant = random.variant(of: model)
      #expect(RandomModel.valid(variant.json) == variant, "seed \(seed)")
      different += variant == model ? 0 : 1
    }
    #expect(different > 180)
  }
}
