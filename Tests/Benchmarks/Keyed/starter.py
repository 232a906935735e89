"""Runs a command and writes its usage to a file descriptor: starter.py DESCRIPTOR COMMAND…

A process starts with the peak memory of the process that starts it. This one imports little, so that it is small.
"""

import os
import resource
import sys


def main():
    descriptor, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(descriptor, False)
    child = os.posix_spawnp(command[0], command, os.environ)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.write(descriptor, f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss / 1024}".encode())
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
