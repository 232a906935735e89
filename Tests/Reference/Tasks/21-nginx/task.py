TITLE = "nginx"
ABOUT = "The bytes and the errors of each path in an access log. Lines of text become strings."
COMMAND = "streamrun stream.json --input-format text < access.log"


def data(random):
    lines = []
    for _ in range(300):
        path = random.choice(["/", "/index.html", "/api/items?id=7", "/bild%20.png"])
        status = random.choice([200, 200, 304, 404, 500, 502])
        lines.append(
            f'192.0.2.{random.randrange(255)} - - [10/Oct/2025:13:55:36 +0200] "GET {path} HTTP/1.1" {status} '
            f'{random.randrange(9999)} "-" "Mozilla/5.0 (X11; Linux)"'
        )
    return {"access.log": "\n".join(lines) + "\n"}


def expected(data):
    totals = {}
    for line in data["access.log"].splitlines():
        request, rest = line.split('"')[1], line.split('"')[2].split()
        total = totals.setdefault(request.split()[1], {"bytes": 0, "errors": 0})
        total["bytes"] += int(rest[1])
        total["errors"] += int(rest[0]) >= 500
    return [{"path": path, **total} for path, total in totals.items()]
