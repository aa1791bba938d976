#!/usr/bin/env python3
"""coverage.py DIRECTORY [lines] - line and branch coverage of les.h, merged over all programs measured below the directory.

A branch counts as covered when some program has taken it. With `lines`, what was never reached is listed.
Exits non-zero below the coverage that is asked for."""
import json
import pathlib
import subprocess
import sys

WANTED_LINES, WANTED_BRANCHES = 95.0, 85.0


def measured(notes):
    """What gcov says of les.h in one compiled program."""
    answer = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", notes.name],
                            cwd=notes.parent, capture_output=True, check=True).stdout
    for text in answer.splitlines():
        for file in json.loads(text)["files"]:
            if pathlib.PurePath(file["file"]).name == "les.h":
                yield from file["lines"]


def main():
    lines, branches = {}, {}
    for notes in pathlib.Path(sys.argv[1]).rglob("*.gcda"):
        for line in measured(notes):
            number = line["line_number"]
            lines[number] = lines.get(number, 0) + line["count"]
            for index, branch in enumerate(line["branches"]):
                key = number, index
                branches[key] = branches.get(key, 0) + branch["count"]
    if not lines or not branches:
        sys.exit("coverage: nothing was measured")

    if sys.argv[2:] == ["lines"]:
        text = pathlib.Path(__file__).parent.parent.joinpath("les.h").read_text(encoding="utf-8").splitlines()
        half = {number for (number, _), count in branches.items() if count == 0}
        for number in sorted(lines):
            if lines[number] == 0 or number in half:
                print(f"{number:6} {'line  ' if lines[number] == 0 else 'branch'} {text[number - 1]}")

    def percent(counts):
        return 100.0 * sum(count > 0 for count in counts.values()) / len(counts)
    print(f"les.h: lines {percent(lines):.1f} %, branches {percent(branches):.1f} %")
    sys.exit(percent(lines) < WANTED_LINES or percent(branches) < WANTED_BRANCHES)


main()
