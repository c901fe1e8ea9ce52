"""A headless Chromium that looks at a page: what is wrong with it at a given width, light or dark.

A copy of the page gets a script that measures and reports to a page around it, whose frame has
the width asked for; windows themselves cannot be as narrow as a phone.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --virtual-time-budget=4000 "
    "--window-size=1500,1200"
).split()
FRAME = """<!DOCTYPE html><meta charset="utf-8"><iframe src="{copy}"
style="border:0;width:{width}px;height:1000px"></iframe><pre id="seen"></pre>
<script>addEventListener("message", event => {{
  document.getElementById("seen").textContent = event.data; }});</script>"""
FIRST = """<script>
const wrong = [];
addEventListener("error", event => wrong.push(`script: ${event.message}`));
</script>"""
LAST = """<script>
const box = one => one.getBoundingClientRect();
const seen = one => { const b = box(one); return b.width > 0 && b.height > 0; };
const all = (where, what) => [...where.querySelectorAll(what)].filter(seen);
const words = one => one.textContent.trim().slice(0, 40);
const meet = (a, b, slack) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
function apart(list, slack, what) {
  list.forEach((one, place) => list.slice(place + 1).forEach(other => {
    if (!one.contains(other) && !other.contains(one) && meet(box(one), box(other), slack))
      wrong.push(`${what}: “${words(one)}” runs into “${words(other)}”`);
  }));
}
function light(colour) {
  const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}
function ground(one) {
  for (; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (!colour.startsWith("rgba(0, 0, 0, 0")) return colour;
  }
  return "rgb(255, 255, 255)";
}
function look() {
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth)
    wrong.push(`the page is ${page.scrollWidth} wide in ${page.clientWidth}`);
  apart(all(document, "main p, main li, main h1, main h2, main h3, figure, .scroll, pre, dt, dd"),
        1, "block");
  for (const drawing of all(document, "svg[role=img]")) {
    const names = drawing.getAttribute("aria-labelledby").split(" ")
      .map(id => document.getElementById(id));
    if (names.length !== 2 || names.some(name => !name || name.textContent.length < 3))
      wrong.push(`a drawing without words: ${drawing.outerHTML.slice(0, 80)}`);
    const letters = all(drawing, "text");
    apart(letters, 2.5, "drawing");
    for (const one of letters)
      if (box(one).left < box(drawing).left - 1 || box(one).right > box(drawing).right + 1)
        wrong.push(`drawing: “${words(one)}” is cut off`);
  }
  for (const picture of all(document, "img"))
    if (!picture.alt) wrong.push(`a picture without words: ${picture.src.slice(0, 60)}`);
  for (const one of document.querySelectorAll("a[href], [tabindex], button, select, input")) {
    if (!seen(one) || one.disabled) continue;
    one.focus({focusVisible: true});
    if (document.activeElement !== one) wrong.push(`no key reaches “${words(one)}”`);
    else if (getComputedStyle(one).outlineStyle === "none")
      wrong.push(`nothing shows that “${words(one)}” has the keys`);
    if (one.tabIndex > 0) wrong.push(`“${words(one)}” jumps the queue`);
  }
  for (const one of all(document, "main *"))
    if (one.scrollWidth > one.clientWidth + 1 && one.tabIndex < 0
        && ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
      wrong.push(`no key scrolls “${words(one)}”`);
  for (const one of all(document, "main p, main li, main h1, main h2, td, th, figcaption, a, dd")) {
    const pair = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => a - b);
    if ((pair[1] + 0.05) / (pair[0] + 0.05) < 4.5) wrong.push(`too faint: “${words(one)}”`);
  }
}
addEventListener("load", () => {
  try { look(); __EXTRA__ } catch (error) { wrong.push(`the test itself: ${error}`); }
  const told = {wrong: [...new Set(wrong)], width: innerWidth, paper: ground(document.body),
                drawings: all(document, "svg[role=img]").length};
  parent.postMessage(JSON.stringify(told), "*");
});
</script>"""


def look(page: Path, width: int, folder: Path, dark: bool = False, extra: str = "") -> Any:
    """What is wrong with the page (`wrong`, a list), with `width`, `paper` and `drawings`.

    `extra` is JavaScript that may push more onto `wrong`.
    """
    text = page.read_text("utf-8")
    copy, frame = folder / "copy.html", folder / "frame.html"
    marked = text.replace("<head>", f"<head>{FIRST}", 1)
    end = marked.rindex("</body>") if "</body>" in marked else len(marked)
    copy.write_text(marked[:end] + LAST.replace("__EXTRA__", extra) + marked[end:], "utf-8")
    frame.write_text(FRAME.format(copy=copy.name, width=width), "utf-8")
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [str(CHROMIUM), *OPTIONS, *scheme, profile, "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    told = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.S)
    assert told and told[1], done.stdout[-300:]
    return json.loads(html.unescape(told[1]))
