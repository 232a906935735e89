/// A machine whose timers are set for instants of the calendar, or for the present.
///
/// When a stream continues after a pause, in which its time has stood still, these timers keep their instants.
package protocol CalendarMachine {
  var followsCalendar: Bool { get }
}
