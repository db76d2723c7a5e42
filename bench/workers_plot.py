"""The plot of `workers.py`: seconds against workers, both logarithmic, one chart for each family of programs.

A line is a program; it is dashed where a bug is expected, and ends in a cross where the program was not decided. Names
stand beside the charts in the order in which the lines end, with a thin line to the end of theirs.
"""

import html
import math

COLOURS = ["#4e79a7", "#e07b39", "#59a14f", "#b6992d", "#b07aa1", "#d1495b", "#499894", "#79706e"]
COLUMNS = 2
WIDTH, HEIGHT = 330, 190  # of the area of lines
LEFT, RIGHT, TOP, BOTTOM = 46, 190, 40, 34  # around it
NAME = 13  # between two names
FASTEST = 0.05  # seconds
TICKS_X = [1, 2, 4, 8, 16, 32, 64]
TICKS_Y = [0.1, 1, 10, 60]


def draw(lines, limit):
    """SVG. `lines` are (family, name, expected verdict, points), a point is (workers, seconds, whether it was decided)."""
    most = max((n for *_, points in lines for n, *_ in points), default=1)
    families = list(dict.fromkeys(line[0] for line in lines))
    rows = math.ceil(len(families) / COLUMNS)
    width, height = COLUMNS * (LEFT + WIDTH + RIGHT), rows * (TOP + HEIGHT + BOTTOM) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="11">',
             '<style>.p:hover path{stroke-width:3;opacity:1} .p:hover text{font-weight:bold}</style>',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for index, family in enumerate(families):
        x = index % COLUMNS * (LEFT + WIDTH + RIGHT) + LEFT
        y = index // COLUMNS * (TOP + HEIGHT + BOTTOM) + TOP
        parts += [f'<g transform="translate({x},{y})">', *frame(family, most, limit)]
        parts += chart([line for line in lines if line[0] == family], most, limit) + ["</g>"]
    parts.append(f'<text x="{LEFT}" y="{height - 10}" fill="#555">Across: workers. Up: seconds of CPU time. Solid: correct; '
                 f'dashed: with a bug (time to the first finding); ×: not decided within {limit} s.</text>')
    return "\n".join([*parts, "</svg>", ""])


def across(workers, most):
    return WIDTH * math.log(workers) / math.log(max(most, 2))


def up(seconds, limit):
    part = math.log(min(max(seconds, FASTEST), limit) / FASTEST) / math.log(limit / FASTEST)
    return HEIGHT * (1 - part)


def frame(family, most, limit):
    """Title, axes and grid."""
    yield f'<text x="0" y="-14" font-size="13" font-weight="bold">{html.escape(family)}</text>'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
    for n in (n for n in TICKS_X if n <= most):
        x = across(n, most)
        yield f'<path d="M{x:.1f} 0V{HEIGHT}" stroke="#eee"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT + 15}" text-anchor="middle" fill="#555">{n}</text>'
    for seconds in [s for s in TICKS_Y if s < limit] + [limit]:
        y = up(seconds, limit)
        yield f'<path d="M0 {y:.1f}H{WIDTH}" stroke="#eee"/>'
        yield f'<text x="-6" y="{y + 4:.1f}" text-anchor="end" fill="#555">{seconds:g} s</text>'


def chart(lines, most, limit):
    """The lines of one family with their names."""
    def end(line):
        workers, seconds, decided = line[3][-1]
        return across(workers, most), up(seconds if decided else limit, limit), decided

    # The names of lines that end further left stand above, so that the thin lines seldom cross.
    ordered = sorted(lines, key=lambda line: (end(line)[0], end(line)[1]))
    parts = []
    for index, line in enumerate(ordered):
        colour = COLOURS[index % len(COLOURS)]
        points = [(across(n, most), up(s if decided else limit, limit)) for n, s, decided in line[3]]
        dash = ' stroke-dasharray="5 3"' if line[2] == "UNSAFE" else ""
        x, y, decided = end(line)
        name_y = NAME * (index - (len(ordered) - 1) / 2) + HEIGHT / 2
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
        parts.append(f'<g class="p"><path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.75"{dash}/>')
        parts.append(f'<path d="M{x:.1f} {y:.1f}L{WIDTH + 18} {name_y:.1f}" stroke="{colour}" stroke-width="0.5" opacity="0.5"/>')
        parts += [mark(x, y, decided, colour)]
        parts.append(f'<text x="{WIDTH + 22}" y="{name_y + 4:.1f}" fill="{colour}">{html.escape(line[1])}</text></g>')
    return parts


def mark(x, y, decided, colour):
    """A dot, or a cross where a line ends without an answer."""
    if decided:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
    return f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="{colour}" stroke-width="1.5"/>'
