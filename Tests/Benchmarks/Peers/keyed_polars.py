"""W9, W10, W13 and W14 as queries of Polars over files: keyed_polars.py whole VARIANT FILE… writes lines of JSON.

Polars answers when it has read all records, where a stream publishes while it reads.
"""

import sys

import polars as pl

EVENT = {"user": pl.Int64, "amount": pl.Int64, "t": pl.Int64}
ORDER = {"id": pl.Int64, "amount": pl.Int64, "t": pl.Int64}
PAYMENT = {"id": pl.Int64, "t": pl.Int64}


def running(events):
    """W9: the running total of the user of each record."""
    return events.select("user", pl.col("amount").cum_sum().over("user").alias("total"))


def totals(events):
    """W9: the total of each user."""
    return events.group_by("user").agg(pl.col("amount").sum().alias("total"))


def debounce(events):
    """W10: each record that its user's next record follows after more than a second, and each user's last record."""
    following = pl.col("t").shift(-1).over("user")
    return events.filter(following.is_null() | (following - pl.col("t") > 1000))


def keyed_join(orders, payments):
    """W13: each order whose payment comes within 60 seconds."""
    pairs = orders.sort("t").join_asof(
        payments.sort("t"), on="t", by="id", strategy="forward", tolerance=60_000, coalesce=False)
    wait = (pl.col("t_right") - pl.col("t")).alias("wait")
    return pairs.filter(pl.col("t_right").is_not_null()).select("id", "amount", wait)


def pairs(orders, payments):
    """W13: each order with its payment."""
    joined = orders.join(payments, on="id", suffix="_paid")
    return joined.select("id", "amount", (pl.col("t_paid") - pl.col("t")).alias("wait"))


def doubled(events):
    """W14: the records of at least 500, shortened."""
    return events.filter(pl.col("amount") >= 500).select("user", (pl.col("amount") * 2).alias("double"))


def main():
    variant, paths = sys.argv[2], sys.argv[3:]
    if variant in ("join", "pairs"):
        query = keyed_join if variant == "join" else pairs
        answer = query(pl.scan_ndjson(paths[0], schema=ORDER), pl.scan_ndjson(paths[1], schema=PAYMENT))
    elif variant == "csv":
        answer = doubled(pl.scan_csv(paths[0], schema=EVENT))
    else:
        queries = {"running": running, "totals": totals, "debounce": debounce, "ndjson": doubled}
        answer = queries[variant](pl.scan_ndjson(paths[0], schema=EVENT))
    answer.collect().write_ndjson(sys.stdout.buffer)


if __name__ == "__main__":
    main()
