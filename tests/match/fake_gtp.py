"""A small GTP program for tests: `python fake_gtp.py KIND SEED [LOG]`, where KIND says how it behaves.

plays: two stones, then passes
crashes, resigns, cheats, babbles: at its second move
refuses: any board
hangs-up: at once
"""

import sys

kind, seed = sys.argv[1], sys.argv[2]
log = open(sys.argv[3], "a") if len(sys.argv) > 3 else None  # noqa: SIM115
taken: set[str] = set()
moves = 0
if kind == "hangs-up":
    sys.exit("no license")
for line in sys.stdin:
    command, *arguments = line.split()
    if log is not None:
        print(seed, line.strip(), file=log, flush=True)
    answer = "= "
    if command == "boardsize" and kind == "refuses":
        answer = "? unacceptable size"
    elif command == "play":
        taken.add(arguments[1])
    elif command == "genmove":
        moves += 1
        if moves == 2 and kind == "crashes":
            print("Segmentation fault", file=sys.stderr)
            sys.exit(3)
        misdeed = {"resigns": "resign", "cheats": min(taken), "babbles": "hello"}.get(kind) if moves == 2 else None
        free = [point for point in ("C3", "B2", "D4", "B4") if point not in taken]
        chosen = misdeed or (free[0] if moves <= 2 and free else "PASS")
        taken.add(chosen)
        answer = f"= {chosen}"
    print(answer + "\n", flush=True)
