import Cold
import StreamCombine
import Synchronization
import Testing

@Suite("Quiet notifier", .timeLimit(.minutes(1)))
struct QuietNotifierTests {
  @Test("Notes of quiet hours wait for the morning, and never flood")
  func quietHours() throws {
    let shown = Mutex<[String]>([])
    let scheduler = VirtualScheduler()
    let notifier = try QuietNotifier(scheduler: scheduler) { note in shown.withLock { $0.append(note.text) } }
    notifier.notes.send(QuietNotifier.Note("lunch"))
    scheduler.advance(by: .seconds(0))
    #expect(shown.withLock { $0 } == ["lunch"])
    scheduler.advance(by: .seconds(3600))
    notifier.isQuiet = true
    for text in ["news", "lunch", "mail", "news", "game", "photo"] { notifier.notes.send(QuietNotifier.Note(text)) }
    notifier.notes.send(QuietNotifier.Note("fire", isUrgent: true))
    scheduler.advance(by: .seconds(3600))
    #expect(shown.withLock { $0 } == ["lunch", "fire"])
    notifier.isQuiet = false
    scheduler.advance(by: .seconds(1))
    #expect(shown.withLock { $0 } == ["lunch", "fire", "news", "mail", "game"])
    scheduler.advance(by: .seconds(20))
    #expect(shown.withLock { $0.last } == "photo")
  }
}
