"""Line charts as SVG: both axes logarithmic, a line for each column of a table, a cross where there is no answer."""

import html
import math

COLOURS = ["#4e79a7", "#e07b39", "#59a14f", "#b6992d", "#b07aa1", "#d1495b", "#499894", "#79706e", "#9c755f", "#1f1f1f"]
WIDTH, HEIGHT = 420, 260  # of the area of lines
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 40, 50  # around it


def draw(title, across, up, lines):
    """`lines`: (name, points); a point is (x, y, whether there is an answer). y of a point without one is the limit."""
    points = [p for _, all_points in lines for p in all_points]
    xs = sorted({x for x, _, _ in points})
    low, high = bounds([y for _, y, _ in points])
    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    right = lambda x: WIDTH * ratio(x, xs[0], xs[-1])
    above = lambda y: HEIGHT * (1 - ratio(y, low, high))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/><g transform="translate({LEFT},{TOP})">',
             f'<text y="-16" font-size="13" font-weight="bold">{html.escape(title)}</text>',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>']
    last = -100
    for x in xs:
        parts.append(f'<path d="M{right(x):.1f} 0V{HEIGHT}" stroke="#eee"/>')
        # Numbers that would run into each other are left out.
        if right(x) - last > 22:
            parts.append(f'<text x="{right(x):.1f}" y="{HEIGHT + 15}" text-anchor="middle" fill="#555">{x:g}</text>')
            last = right(x)
    tick = low
    while tick <= high * 1.001:
        parts.append(f'<path d="M0 {above(tick):.1f}H{WIDTH}" stroke="#eee"/>')
        parts.append(f'<text x="-6" y="{above(tick) + 4:.1f}" text-anchor="end" fill="#555">{tick:,g}</text>')
        tick *= 10
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT + 36}" text-anchor="middle">{html.escape(across)}</text>')
    parts.append(f'<text transform="translate(-54,{HEIGHT / 2}) rotate(-90)" text-anchor="middle">{html.escape(up)}</text>')
    for index, (name, line) in enumerate(lines):
        colour, y = COLOURS[index % len(COLOURS)], 12 + 16 * index
        path = "M" + "L".join(f"{right(a):.1f} {above(b):.1f}" for a, b, _ in line)
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5" opacity="0.8"/>')
        for a, b, decided in line:
            parts.append(mark(right(a), above(b), decided, colour))
        parts.append(f'<path d="M{WIDTH + 14} {y - 4}h16" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH + 36}" y="{y}">{html.escape(name)}</text>')
    return "\n".join([*parts, "</g></svg>", ""])


def bounds(values):
    """Powers of ten around the values."""
    low = 10 ** math.floor(math.log10(max(min(values), 0.01)))
    high = 10 ** math.ceil(math.log10(max(*values, low * 10)))
    return low, high


def ratio(value, low, high):
    if high <= low:
        return 0.5
    return math.log(max(value, low) / low) / math.log(high / low)


def mark(x, y, decided, colour):
    if decided:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
    return f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="{colour}" stroke-width="1.5"/>'
