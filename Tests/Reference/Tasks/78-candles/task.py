from support import MINUTE, grouped, times

TITLE = "Candles"
ABOUT = "Open, high, low and close of the trades of each symbol and minute."
COMMAND = "streamrun stream.json --event-time value.ts < trades.ndjson"
UNORDERED = True


def data(random):
    return {
        "trades.ndjson": [
            {"ts": ts, "symbol": random.choice(["X", "Y"]), "price": round(random.gauss(100, 5), 2)}
            for ts in times(random, 600, 2000)
        ]
    }


def expected(data):
    for (symbol, minute), rows in grouped(
        data["trades.ndjson"], lambda row: (row["symbol"], row["ts"] // MINUTE)
    ).items():
        prices = [row["price"] for row in rows]
        yield {
            "symbol": symbol,
            "minute": minute,
            "open": prices[0],
            "high": max(prices),
            "low": min(prices),
            "close": prices[-1],
        }
