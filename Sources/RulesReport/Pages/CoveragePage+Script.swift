extension CoveragePage {
  /// The page's script: shows details of the place that is pointed at or focused in the panel, and moves
  /// between places by keys. Without it the page still shows the coloured source.
  static let script = #"""
    "use strict";
    const files = JSON.parse(document.getElementById("data").textContent);
    const detail = document.getElementById("detail");
    const all = [...document.querySelectorAll(".source .p[id]")];
    const isNamed = files.some((file) => file.tests.length > 0);
    const isTouch = matchMedia("(hover: none) and (pointer: coarse)").matches;
    let current = -1;

    function make(name, text, style) {
      const element = document.createElement(name);
      if (text !== undefined) element.textContent = text;
      if (style) element.className = style;
      return element;
    }

    function fileOf(element) { return element.closest(".source").dataset.file; }

    function asked(element) { return files[fileOf(element)].asked; }

    function place(element) { return files[fileOf(element)].places[element.dataset.p]; }

    // The gaps of a place, each in the colour of the place.
    function chips(element) {
      return (place(element).gaps || []).map((gap) => make("span", gap, "gap p " + element.classList[1]));
    }

    function times(count) { return count === 1 ? "once" : count + " times"; }

    function tell(element) {
      const tests = files[fileOf(element)].tests;
      const told = place(element);
      detail.replaceChildren(make("h3", told.text));
      const head = make("p");
      head.append(...chips(element));
      head.append("line " + told.line);
      detail.append(head);
      if (told.errors) {
        detail.append(make("p", "ended in an error " + times(told.errors)));
      }
      const list = make("dl");
      for (const [text, style, count, numbers] of told.rows) {
        const term = make("dt");
        term.append(make("span", text, "p " + (style === "value" ? "both" : style)));
        term.append(" " + times(count));
        list.append(term);
        const names = numbers.map((number) => make("dd", tests[number]));
        list.append(...names.slice(0, 4));
        if (names.length > 4) {
          const more = make("details");
          const open = (names.length > 23 ? "" : names.length - 4 + " ") + "more " + asked(element) + "s";
          more.append(make("summary", open), ...names.slice(4));
          list.append(more);
        }
      }
      detail.append(list);
      if (told.unlisted) detail.append(make("p", "other values: " + times(told.unlisted)));
      if (!told.rows.length) detail.append(make("p", "No " + asked(element) + " gets here."));
    }

    function mark(element) {
      for (const old of document.querySelectorAll(".on")) old.classList.remove("on");
      const file = element.closest(".source");
      for (const part of file.querySelectorAll('[data-p="' + element.dataset.p + '"]')) {
        part.classList.add("on");
      }
      tell(element);
    }

    function go(index) {
      if (index < 0 || index >= all.length) return;
      current = index;
      all[index].focus({ preventScroll: true });
      all[index].scrollIntoView({ block: "center", inline: "nearest" });
      mark(all[index]);
    }

    // In a part that no test reaches, only the outermost place is a gap to jump to.
    function isGap(element) {
      const around = element.parentElement.closest(".p");
      if (around && around.classList.contains("never")) return false;
      return (place(element).gaps || []).length > 0;
    }

    function nextGap(step) {
      for (let at = current + step; at >= 0 && at < all.length; at += step) {
        if (isGap(all[at])) return go(at);
      }
    }

    function enclosing(element) { return element.parentElement.closest(".source .p"); }

    function first(element) {
      return element && document.getElementById("p" + fileOf(element) + "-" + element.dataset.p);
    }

    const keys = {
      n: () => nextGap(1),
      p: () => nextGap(-1),
      ArrowRight: () => go(current + 1),
      ArrowLeft: () => go(Math.max(0, current - 1)),
      ArrowUp: () => current >= 0 && go(all.indexOf(first(enclosing(all[current])))),
      ArrowDown: () => current >= 0 && go(all.indexOf(all[current].querySelector(".p[id]"))),
      Escape: () => { if (document.activeElement) document.activeElement.blur(); start(); },
    };

    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isArrow = event.key.startsWith("Arrow");
      // Until a place is chosen the arrows scroll, as they do everywhere.
      if (isArrow && current < 0) return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    for (const source of document.querySelectorAll(".source")) {
      source.addEventListener("mouseover", (event) => {
        const over = event.target.closest(".p");
        if (over) mark(over);
      });
      source.addEventListener("mouseleave", () => {
        if (current >= 0) mark(all[current]); else start();
      });
      source.addEventListener("click", (event) => {
        const over = event.target.closest(".p");
        if (over) go(all.indexOf(first(over)));
      });
    }
    document.getElementById("next").addEventListener("click", () => nextGap(1));
    document.getElementById("previous").addEventListener("click", () => nextGap(-1));
    document.getElementById("list").addEventListener("click", start);

    const root = document.documentElement, theme = document.getElementById("theme");
    function isDark() {
      return root.dataset.theme
        ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    }
    function nameTheme() { theme.textContent = isDark() ? "light colours" : "dark colours"; }
    theme.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      nameTheme();
    });
    nameTheme();

    // A button for each gap, by file.
    function gapList(gaps) {
      const parts = [];
      let file;
      for (const element of gaps) {
        if (fileOf(element) !== file) {
          file = fileOf(element);
          if (files.length > 1) parts.push(make("h4", files[file].file));
          parts.push(make("ul"));
        }
        const told = place(element), item = make("li"), open = make("button");
        open.type = "button";
        open.append("line " + told.line + " ", make("code", told.text));
        open.append(...chips(element));
        open.addEventListener("click", () => go(all.indexOf(element)));
        item.append(open);
        parts[parts.length - 1].append(item);
      }
      return parts;
    }

    function start() {
      current = -1;
      for (const old of document.querySelectorAll(".on")) old.classList.remove("on");
      const gaps = all.filter(isGap), count = gaps.length;
      detail.replaceChildren(
        make("h3", count === 0 ? "No gaps" : count === 1 ? "1 place with gaps" : count + " places with gaps"),
        make("p", (isTouch ? "Tap" : "Point at") + " a place of the rules to see the values that it had, how often" +
          (isNamed ? ", and in which " + files[0].asked + "s." : ".")));
      const list = gapList(gaps);
      if (count && matchMedia("(max-width: 60rem)").matches) {
        // The panel covers the rules there.
        const more = make("details");
        more.append(make("summary", "list of gaps"), ...list);
        detail.append(more);
      } else detail.append(...list);
      detail.scrollTop = 0;
    }
    start();
    if (location.hash.startsWith("#p")) {
      const named = document.getElementById(location.hash.slice(1));
      if (named) go(all.indexOf(named));
    }
    """#
}
