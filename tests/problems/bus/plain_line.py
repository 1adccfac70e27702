"""The bus line in the most obvious way: every bus, every queue, minute by minute, straight from its description."""

import struct


def single(u: float) -> float:
    """Rounded to single precision."""
    return struct.unpack("f", struct.pack("f", u))[0]


def stream(seed: int):
    """The C library's rand() / 2**31 after srand(seed)."""
    r = [seed]
    for i in range(1, 31):
        r.append((16807 * r[i - 1]) % 2147483647)
    for i in range(31, 34):
        r.append(r[i - 31])
    i = 34
    while True:
        r.append((r[i - 3] + r[i - 31]) % 2**32)
        if i >= 344:
            yield (r[i] >> 1) / 2**31
        i += 1


def make_data(seed: int, minutes: int = 500):
    """passengers, travel, incident, each [minute][stop]."""
    u = stream(seed)
    passengers, travel, incident = [], [], []
    walk = [2] * 71
    for _ in range(minutes):
        rows = [], [], []
        for s in range(71):
            rows[0].append(int(5 * next(u)))
            x = single(next(u))
            if x > 0.6:
                walk[s] = min(walk[s] + 1, 15)
            elif x < 0.4:
                walk[s] = max(walk[s] - 1, 2)
            rows[1].append(walk[s])
            rows[2].append(5 if single(next(u)) > 0.99 else 0)
        for table, row in zip((passengers, travel, incident), rows, strict=True):
            table.append(row)
    return passengers, travel, incident


def simulate(data, model: str, decide):
    """All decisions and the cost; `decide(bus, stop, t, stops of all buses, waiting)` gives the minutes to wait."""
    passengers, travel, incident = data
    stop = [0] * 10 + [35] * 10
    active, countdown, dwell = [False] * 20, [0] * 20, [0] * 20
    waiting, current = [0] * 71, [0] * 71
    cost, decided = 0, []
    for t in range(500):
        if t % 20 == 0:
            for terminus in (0, 35):
                standing = [bus for bus in range(20) if stop[bus] == terminus and not active[bus]]
                if standing:
                    active[standing[0]] = True
                    countdown[standing[0]] = current[terminus + 1] + incident[t][terminus + 1]
        for bus in range(20):
            if not active[bus]:
                continue
            if dwell[bus] > 0:
                dwell[bus] -= 1
                waiting[stop[bus]] = 0
                if dwell[bus] == 0:
                    countdown[bus] = current[stop[bus] + 1] + incident[t][stop[bus] + 1]
            else:
                countdown[bus] -= 1
                if countdown[bus] <= 0:
                    stop[bus] += 1
                    if stop[bus] in (35, 70):
                        active[bus] = False
                        stop[bus] = stop[bus] % 70
                    else:
                        waiting[stop[bus]] = 0
            if t >= 200 and active[bus] and countdown[bus] == 0 and (model == "reference" or dwell[bus] == 0):
                if not decided:
                    cost = 0
                dwell[bus] = decide(bus, stop[bus], t, list(stop), list(waiting))
                decided.append((bus, stop[bus], t, dwell[bus]))
        cost += sum(waiting[s] for s in range(1, 70) if s != 35)
        for s in range(1, 71):
            current[s] = travel[t][s]
            waiting[s] += passengers[t][s]
    return decided, cost
