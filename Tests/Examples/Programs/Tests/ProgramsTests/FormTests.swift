import Foundation
import Programs
import StreamCombine
import StreamKit
import StreamTesting
import Testing

@Suite("Programs: streams and forms", .timeLimit(.minutes(1)))
struct FormTests {
  @Test("1. A serial stream is encoded, decoded and published")
  func serialStream() throws {
    let model = SerialStream.make()
    let read = try SerialStream.model(from: SerialStream.data(of: model))
    #expect(read == model)

    let scheduler = VirtualScheduler()
    var heard: [String] = []
    let subscription = read.publisher(of: Int.self, scheduler: scheduler)
      .sink(
        receiveCompletion: { heard.append("\($0)") },
        receiveValue: { heard.append("\($0) at \(scheduler.now.nanoseconds / 1_000_000)") })
    scheduler.run(through: scheduler.now.advanced(by: .seconds(10))) { true }
    #expect(heard == ["10 at 1000", "20 at 2000", "30 at 3000", "40 at 4000", "finished"])
    subscription.cancel()
  }

  @Test("2. A search that is superseded is canceled")
  func liveSearch() async throws {
    let (events, mail) = AsyncStream.makeStream(of: String.self)
    let search = try LiveSearch { query in
      mail.yield("searches \(query)")
      if query == "fij" {
        do {
          try await Task.sleep(for: .seconds(1_000))
        } catch {
          mail.yield("canceled \(query)")
          throw error
        }
      }
      return [query, query + " islands"]
    }
    let clock = ManualClock()
    var results = search.results(clock: clock).makeAsyncIterator()
    var heard = events.makeAsyncIterator()

    search.query.send("fi")
    search.query.send("fij")
    await clock.sleepers(1)
    clock.advance(by: .seconds(0.3))
    let first = await heard.next()
    search.query.send("fiji")
    await clock.sleepers(1)
    clock.advance(by: .seconds(0.3))
    let result = try await results.next()
    let others = await Set([heard.next(), heard.next()])
    #expect(first == "searches fij")
    #expect(others == ["canceled fij", "searches fiji"])
    #expect(result == ["fiji", "fiji islands"])
  }

  @Test("3. A form has several outputs")
  func signUpForm() {
    let form = SignUpForm(delivery: .immediate)
    let (nameError, emailError) = (form.state.nameError, form.state.emailError)
    #expect(nameError == "too short")
    #expect(emailError == "no address")
    form.name = "Ada"
    form.email = "ada@example.org"
    form.age = 17
    let before = form.state
    #expect(before.nameError == nil)
    #expect(before.emailError == nil)
    #expect(!before.canSend)
    form.age += 1
    #expect(form.state.canSend)
  }
}
