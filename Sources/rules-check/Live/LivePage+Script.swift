extension LivePage {
  /// The page's script. Texts of requests only become text nodes; the only markup that it inserts is the
  /// coloured rules, which the server escapes, and the page's policy keeps scripts in markup from running.
  static let program = #"""
    "use strict";
    const byId = (id) => document.getElementById(id);
    // As many as the server keeps.
    const most = 1000;
    const words = { allow: "ALLOW", deny: "DENY", error: "ERROR", open: "OPEN", owner: "OWNER" };
    const all = [];
    const filters = byId("filters");
    let chosen = null, line = null, seen = new Map(), painted = null, stale = false;

    function make(name, style, ...children) {
      const element = document.createElement(name);
      if (style) element.className = style;
      element.append(...children);
      return element;
    }

    function button(text, act, style) {
      const element = make("button", style, text);
      element.type = "button";
      element.addEventListener("click", act);
      return element;
    }

    // Text between back-ticks is code.
    function prose(text) {
      return text.split(/`([^`]*)`/).map((part, place) => place % 2 ? make("code", "", part) : part);
    }

    // MARK: Requests

    function matches(row) {
      const has = (text, part) => text.toLowerCase().includes(part.trim().toLowerCase());
      return has(row.who, filters.who.value) && has(row.path, filters.path.value)
        && (!filters.verdict.value || row.verdict === filters.verdict.value)
        && (!line || row.line === line.line && row.file === line.file);
    }

    const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit",
      hourCycle: "h23" });

    function item(row) {
      const place = row.file ? make("span", "place", row.file + ":" + row.line) : "";
      const database = row.database === "(default)" ? "" : ", database " + row.database;
      const asked = make("span", "asked", make("span", "who", row.who), " " + row.method + " ",
        make("span", "path", row.path), database);
      const element = button("", () => open(row));
      element.append(make("span", "badge " + row.verdict, words[row.verdict]), asked,
        make("span", "when", clock.format(new Date(row.time))), place);
      const entry = make("li", "", element);
      entry.hidden = !matches(row);
      return entry;
    }

    function count() {
      const shown = all.filter((one) => !one.element.hidden).length;
      byId("count").textContent = shown === all.length ? String(all.length) : shown + " of " + all.length;
      byId("empty").hidden = all.length > 0;
    }

    let counting = false;

    function add(row) {
      const element = item(row);
      all.push({ row, element });
      byId("rows").prepend(element);
      if (all.length > most) all.shift().element.remove();
      if (row.line || row.verdict === "deny" || row.verdict === "allow") note(row);
      if (counting) return;
      counting = true;
      requestAnimationFrame(() => { counting = false; count(); });
    }

    function filter() {
      for (const one of all) one.element.hidden = !matches(one.row);
      byId("line").hidden = !line;
      if (line) byId("line").textContent = "decided at " + line.file + ":" + line.line + " ✕";
      count();
    }

    async function open(row) {
      chosen = row.id;
      for (const one of all) {
        one.element.firstChild.setAttribute("aria-current", String(one.row.id === row.id));
      }
      document.body.classList.add("opened");
      const detail = byId("detail");
      const answer = await fetch("/live/requests/" + row.id);
      if (chosen !== row.id) return;
      if (!answer.ok) {
        detail.replaceChildren(back(), make("p", "", await answer.text()));
        return;
      }
      show(detail, row, await answer.json());
      detail.scrollTop = 0;
      if (matchMedia("(max-width: 800px)").matches) detail.focus();
    }

    function back() {
      return button("← all requests", () => document.body.classList.remove("opened"), "back");
    }

    function show(detail, row, told) {
      const place = row.file
        ? [", decided at ", button(row.file + ":" + row.line, () => goTo(row), "link")] : [];
      detail.replaceChildren(back(),
        make("p", "verdict badge " + row.verdict, words[row.verdict]),
        make("p", "", make("strong", "", told.who), " " + row.method + " ", make("code", "", told.path),
          ...place),
        make("p", "soft", row.call + " on " + row.project + ", " + row.database + ", " + row.time));
      if (told.why && told.why.length) {
        detail.append(make("h3", "", "Why"), make("ul", "", ...told.why.map((one) => make("li", "", ...prose(one)))));
      }
      if (told.picture) {
        detail.append(make("h3", "", "The conditions, with the value of every part"),
          make("pre", "picture", told.picture.trimEnd()));
      }
      if (told.message) {
        detail.append(make("p", "soft", "The client was told: " + told.message.trim()));
      }
      detail.append(make("h3", "", "As a test"));
      if (!told.test) {
        detail.append(make("p", "soft", told.noTest));
        return;
      }
      const test = make("pre", "test", told.test);
      const said = make("span", "soft");
      said.setAttribute("role", "status");
      const actions = make("p", "actions", button("Copy", async () => {
        try {
          await navigator.clipboard.writeText(told.test);
          said.textContent = "Copied. It goes into \"tests\" of a suite.";
        } catch {
          getSelection().selectAllChildren(test);
          said.textContent = "The browser does not copy it: it is selected.";
        }
      }));
      if (told.canRecord) {
        actions.append(button("Add to the suite", async () => {
          const answer = await fetch("/live/record/" + row.id, { method: "POST" });
          said.textContent = answer.ok ? (await answer.json()).message : await answer.text();
        }));
      }
      actions.append(said);
      detail.append(test, actions);
    }

    // MARK: Coverage

    function note(row) {
      const key = JSON.stringify([row.project, row.database]);
      if (!seen.has(key)) {
        seen.set(key, row);
        const option = make("option", "", row.project + ", " + row.database);
        option.value = key;
        byId("database").append(option);
      }
      stale = true;
    }

    async function paint() {
      const key = byId("database").value;
      if (!key) {
        byId("painted").replaceChildren(make("p", "soft", "No request was decided by rules yet."));
        return;
      }
      const [project, database] = JSON.parse(key);
      byId("values").href = "/emulator/v1/projects/" + encodeURIComponent(project) + "/databases/"
        + encodeURIComponent(database) + ":ruleCoverage.html";
      stale = false;
      const answer = await fetch("/live/coverage?" + new URLSearchParams({ project, database }));
      const text = await answer.text();
      if (key !== byId("database").value) return;
      const kept = byId("coverage").scrollTop;
      if (answer.ok) byId("painted").innerHTML = text;
      else byId("painted").replaceChildren(make("p", "soft", text));
      byId("coverage").scrollTop = kept;
      painted = key;
    }

    // The page is not repainted for each of several requests in a row.
    setInterval(() => { if (stale && !byId("coverage").hidden) paint(); }, 1000);

    async function goTo(row) {
      const key = JSON.stringify([row.project, row.database]);
      byId("database").value = key;
      select("coverage");
      await paint();
      const found = [...byId("painted").querySelectorAll(".l")][row.line - 1];
      if (!found) return;
      for (const old of byId("painted").querySelectorAll(".here")) old.classList.remove("here");
      found.classList.add("here");
      found.scrollIntoView({ block: "center" });
    }

    byId("painted").addEventListener("click", (event) => {
      const number = event.target.closest(".n");
      if (!number) return;
      const file = number.closest("section").querySelector("h2").textContent;
      line = { file, line: Number(number.textContent) };
      filter();
      select("requests");
    });

    // MARK: Page

    function select(name) {
      for (const one of ["requests", "coverage"]) {
        const tab = byId("tab-" + one);
        tab.setAttribute("aria-selected", String(one === name));
        tab.tabIndex = one === name ? 0 : -1;
        byId(one).hidden = one !== name;
      }
    }

    for (const [one, other] of [["requests", "coverage"], ["coverage", "requests"]]) {
      const tab = byId("tab-" + one);
      tab.addEventListener("click", () => { select(one); if (one === "coverage") paint(); });
      tab.addEventListener("keydown", (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        byId("tab-" + other).click();
        byId("tab-" + other).focus();
      });
    }
    filters.addEventListener("input", filter);
    filters.addEventListener("submit", (event) => event.preventDefault());
    byId("line").addEventListener("click", () => { line = null; filter(); });
    byId("database").addEventListener("change", paint);
    byId("address").textContent = location.host;
    byId("variable").textContent = "FIRESTORE_EMULATOR_HOST=" + location.host;

    function state(style, text) {
      if (byId("state").className === style) return;
      byId("state").className = style;
      byId("state").textContent = text;
    }

    function connect() {
      const events = new EventSource("/live/events");
      events.addEventListener("open", () => state("on", "live"));
      events.addEventListener("start", () => {
        all.length = 0;
        byId("rows").replaceChildren();
        count();
      });
      events.addEventListener("message", (event) => add(JSON.parse(event.data)));
      events.addEventListener("error", () => {
        state("off", "not connected");
        // Browsers try again by themselves, but not after a refusal.
        if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
      });
    }
    connect();
    """#
}
