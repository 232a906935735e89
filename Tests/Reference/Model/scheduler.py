"""Virtual time and delivery: one clock, one stack of work.

Time is an int, in nanoseconds. Timers that are due at one instant fire in the order of their ranks, then in the order in
which they were set. Work travels depth first: what an action causes is done, in order, before the work that was waiting.
"""

import heapq

from values import Failure

TIME_END = 2**63 - 1


class Timer:
    def __init__(self, time, action):
        self.time, self.action = time, action

    def cancel(self):
        self.action = None


class Endless(Exception):
    """The stream does more work than a run may do."""


class Scheduler:
    def __init__(self, budget):
        self.budget = budget  # actions
        self.now = 0
        self.heap, self.count = [], 0
        self.stack, self.effects = [], []

    def at(self, time, action, rank=0):
        """Sets a timer, which also may be due now: those of higher ranks fire after the others of their instant."""
        if time > TIME_END:
            raise Failure("S416", "time ends")
        timer = Timer(time, action)
        self.count += 1
        heapq.heappush(self.heap, (time, rank, self.count, timer))
        return timer

    def effect(self, action):
        """Adds work that the action under way causes."""
        self.effects.append(action)

    def perform(self, action):
        """Carries out an action and everything that it causes."""
        self.stack.append(action)
        while self.stack:
            action = self.stack.pop()
            self.budget -= 1
            if self.budget < 0:
                raise Endless
            self.effects = []
            action()
            self.stack.extend(reversed(self.effects))
        self.effects = []

    def next_time(self):
        """The time of the next timer, or None."""
        while self.heap and self.heap[0][3].action is None:
            heapq.heappop(self.heap)
        return self.heap[0][0] if self.heap else None

    def fire(self):
        """Fires the next timer."""
        time, _, _, timer = heapq.heappop(self.heap)
        self.now = max(self.now, time)
        action, timer.action = timer.action, None
        self.perform(action)
