"""partition: a stream for each key."""


def start_partition(running):
    raise NotImplementedError("partition")
