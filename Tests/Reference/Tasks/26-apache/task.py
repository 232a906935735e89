import datetime
import re

TITLE = "Apache"
ABOUT = "The fields of an access log, by a regular expression with named groups, and its times in UTC."
COMMAND = "streamrun stream.json --input access.txt"


def data(random):
    lines = []
    for _ in range(200):
        zone = datetime.timezone(datetime.timedelta(minutes=random.choice([0, 120, -300, 330])))
        time = datetime.datetime.fromtimestamp(random.randrange(1_600_000_000, 1_790_000_000), zone)
        lines.append(
            f"192.0.2.{random.randrange(255)} - - [{time:%d/%b/%Y:%H:%M:%S %z}] "
            f'"{random.choice(["GET", "POST"])} /{random.randrange(99)} HTTP/1.1" '
            f'{random.choice([200, 404])} {random.choice(["-", random.randrange(5000)])}'
        )
        if random.random() < 0.1:
            lines.append("\\x16\\x03\\x01 not a request")
    return {"access.txt": "\n".join(lines) + "\n"}


def expected(data):
    for line in data["access.txt"].splitlines():
        match = re.match(r'(\S+) - - \[(.+)\] "(\w+) (\S+) .*" (\d+) (\S+)', line)
        if match:
            host, time, method, path, status, size = match.groups()
            time = datetime.datetime.strptime(time, "%d/%b/%Y:%H:%M:%S %z").astimezone(datetime.timezone.utc)
            yield {
                "host": host,
                "time": f"{time:%Y-%m-%dT%H:%M:%SZ}",
                "method": method,
                "path": path,
                "status": int(status),
                "bytes": 0 if size == "-" else int(size),
            }
