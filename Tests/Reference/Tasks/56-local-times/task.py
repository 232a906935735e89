import datetime
import zoneinfo

TITLE = "Local times"
ABOUT = "Times that people wrote in Berlin, in UTC and as they are read in New York, with daylight saving time."
COMMAND = "streamrun stream.json --input texts.txt"


def data(random):
    start = datetime.datetime(2000, 1, 1)
    days = [start + datetime.timedelta(minutes=random.randrange(60 * 24 * 365 * 30)) for _ in range(300)]
    # Leaves out the hour that does not exist or exists twice.
    return {"texts.txt": "".join(f"{day:%d.%m.%Y %H:%M}\n" for day in days if day.hour != 2)}


def expected(data):
    for line in data["texts.txt"].splitlines():
        local = datetime.datetime.strptime(line, "%d.%m.%Y %H:%M").replace(tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"))
        there = local.astimezone(zoneinfo.ZoneInfo("America/New_York"))
        utc = local.astimezone(datetime.timezone.utc)
        yield {
            "utc": f"{utc:%Y-%m-%dT%H:%M:%SZ}",
            "ms": int(utc.timestamp()) * 1000,
            "there": f"{there:%b} {there.day}, {there:%Y %I:%M %p}",
        }
