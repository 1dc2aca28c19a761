"""Everything that people do with the page, done in a browser. Each flow is a function; it gets a browser
and the page's address, and raises if something is not as it should be."""

import json

from browser import BrowserError

LONG_RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
%s  }
}
"""


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def fresh(browser, url, **options):
    """The page as whoever opens it for the first time sees it."""
    page = browser.page(url, **options)
    # A page keeps its state when it is left; this one may not.
    page.run("localStorage.clear(); Storage.prototype.setItem = () => {}")
    page.open("about:blank")
    page.open(url)
    page.wait("document.body.dataset.verdict")
    return page


def blank(browser, url, **options):
    """The page with nothing in it but the shortest rules, and nothing remembered but these."""
    page = fresh(browser, url, **options)
    page.run("delete document.body.dataset.verdict; playground.set(blankState()); playground.keep.now()")
    page.wait("document.body.dataset.verdict")
    return page


def said(page):
    """All that is said of a request."""
    return page.run("document.getElementById('verdict').textContent + document.getElementById('reasons').textContent")


def verdict(page):
    return page.run("document.querySelector('#verdict .verdict').textContent.replace(/^\\W+/, '')")


def set_field(page, label, value):
    """Fills a field, as typing does."""
    page.run(f"""(() => {{
      const label = [...document.querySelectorAll('#form label')].find((one) => one.textContent === {json.dumps(label)});
      const control = document.getElementById(label.htmlFor);
      control.value = {json.dumps(value)};
      control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input'));
    }})()""")


def open_example(page, name):
    page.run(f"""(() => {{
      const menu = document.getElementById('examples');
      menu.value = [...menu.options].find((one) => one.textContent === {json.dumps(name)}).value;
      menu.dispatchEvent(new Event('change'));
    }})()""")
    page.wait("document.getElementById('examples').value === ''")
    settle(page)


def settle(page):
    """Waits until nothing is asked any more."""
    page.wait("!playground.isBusy")
    page.wait("!playground.isBusy")


def press(page, text, within="body"):
    page.run(f"""[...document.querySelectorAll({json.dumps(within + ' button')})]
      .find((one) => one.textContent.trim() === {json.dumps(text)}).click()""")


def in_sight(page, selector):
    """Whether all of an element is in the window, and nothing lies over its middle."""
    return page.run(f"""((it) => {{
      const box = it.getBoundingClientRect(), middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const at = document.elementFromPoint(...middle);
      return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth
        && (at === it || it.contains(at) || at?.contains(it));
    }})(document.querySelector({json.dumps(selector)}))""")


def the_first_screen_says_what_the_page_is_for(browser, url):
    page = fresh(browser, url)
    expect(verdict(page) == "DENY", f"another user writes a push token: {verdict(page)}")
    expect("update /users/alice as mallory" in said(page), said(page))
    head = page.run("document.querySelector('header').textContent")
    for word in ["Firestore", "security", "prove"]:
        expect(word in head, f"{word} is in the head: {head}")
    expect(in_sight(page, ".tagline") and in_sight(page, "#intro") and in_sight(page, "#verdict-word"), "all of that is in sight")
    for ask, what in [("matrix", "can be written by owner {uid}"), ("diff", "Allows nothing new"), ("request", "DENY")]:
        page.run(f"document.querySelector('#intro [data-ask={ask}]').click()")
        settle(page)
        page.wait(f"document.querySelector('#panel-{ask}').textContent.includes({json.dumps(what)})")
        expect(page.run(f"!document.getElementById('panel-{ask}').hidden"), f"{ask} is open")
    set_rules(page, page.run("playground.state.rules") + "\n")
    expect(page.run("document.getElementById('intro').hidden"), "whoever has rules of their own is not asked")
    expect(page.run("document.querySelector('noscript').textContent.includes('JavaScript')"), "without scripts it says so")
    return page


def a_long_file_is_formatted_at_once(browser, url):
    page = blank(browser, url)
    blocks = "".join(f"      match /c{i}/{{id}} {{\n          allow read:   if request.auth.uid == id;\n"
                     "          allow write: if false; // never & <b>\n      }\n" for i in range(250))
    set_rules(page, LONG_RULES % blocks)
    before = page.run("playground.editor.text")
    laid = page.run("playground.engine.ask('live-format', { do: 'format', rules: playground.state.rules }).then((one) => one.value.text)")
    expect(laid != before and laid.count("\n") > 1000, f"{laid.count(chr(10))} lines change")
    took = page.run("""(async () => {
      const start = performance.now();
      await playground.format();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    })()""", timeout=300)
    expect(took < 1000, f"Format of 1,000 lines took {took:.0f} ms")
    expect(page.run("playground.editor.text") == laid == page.run("playground.state.rules"), "every line is as the formatter has it")
    page.run("document.execCommand('undo')")
    expect(page.run("playground.editor.text") == before, "one undo takes it back")
    settle(page)
    page.run("playground.editor.area.scrollTop = 1e6")
    page.wait("document.querySelectorAll('#rules .t-keyword').length > 0")
    count = page.run("document.querySelectorAll('#rules .paint span').length")
    expect(count < 3000, f"only what is in sight has colours: {count} pieces")
    expect(page.run("document.querySelector('#rules .paint').textContent === playground.editor.text + '\\n'"), "all of the text is there")
    return page


def a_note_is_a_sentence(browser, url):
    page = blank(browser, url)
    set_field(page, "Method", "update")
    page.wait("document.getElementById('reasons').textContent.includes('is not stored')")
    expect("[object" not in page.run("document.body.textContent"), "no element is written as text")
    return page


def claims_keep_names_and_expectations(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Psst, production")
    page.key("2", alt=True)
    names = page.run("[...document.querySelectorAll('#panel-claims .claim-head input')].map((one) => one.value)")
    expect(len(names) == 9 and names[0] == "1. only the owner can write fcmToken", f"{names}")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-claims .badge').length === 9")
    words = page.run("document.querySelector('#panel-claims .results').textContent")
    expect("9 claims" in words and "6 proved" in words and "2 violated as expected" in words
           and "1 proved but not checked" in words, words)
    expect(page.run("document.querySelectorAll('#panel-claims .card:nth-child(3) .badge')[0].textContent") ==
           "✗ VIOLATED, as expected", "a known hole is called one, beside its claim")
    suite = page.run("playground.state.suite")
    left = page.run("playground.state.requestsLeft")
    expect(left > 0 and f"{left} requests of the suite are not shown here" in
           page.run("document.getElementById('requests-left').textContent"), "what is left out is said")
    page.key("5", alt=True)
    press(page, "Write it from requests and claims", "#panel-suite")
    page.wait("document.getElementById('question').open")
    question = page.run("document.getElementById('question-title').textContent")
    expect(f"{left + 12} requests, 9 claims" in question and "12 requests, 9 claims" in question, question)
    press(page, "Replace it", "#question")
    page.wait(f"playground.state.suite !== {json.dumps(suite)}")
    written = page.run("member(readJson(playground.state.suite), 'claims').elements.map((one) => "
                       "[member(one, 'name')?.text, member(one, 'expect')?.text ?? ''])")
    expect([one[0] for one in written] == names, f"{written}")
    expect([one[1] for one in written].count("violated") == 2, f"{written}")
    page.key("Enter", ctrl=True)
    settle(page)
    page.wait("document.querySelector('#panel-suite .results').textContent.includes('as expected (a known hole)')")
    # The form says how much it has no room for.
    page.run("""playground.views.suite.set('{"tests": [{"as": null, "get": "/a/b", "expect": "deny"}], "claims": ['
      + '{"path": "/a/{b}", "never": true}, {"path": "/a/{b}", "never": true, "expect": "undecided"}]}')""")
    press(page, "Load its tests as requests", "#panel-suite")
    settle(page)
    page.key("2", alt=True)
    expect("1 claim of the suite is not shown here" in page.run("document.querySelector('#panel-claims').textContent"), "one is left out")
    return page


def a_claim_is_made_of_a_template(browser, url):
    page = blank(browser, url)
    page.key("2", alt=True)
    page.run("""((menu) => { menu.value = '0'; menu.dispatchEvent(new Event('change')); })(
      document.querySelector('#panel-claims select[aria-label="add a claim"]'))""")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-claims .badge').length === 2")
    expect(page.run("playground.state.claims[1].writes + ' ' + playground.state.claims[1].path") == "fcmToken /users/{uid}",
           "it is about the documents of the rules")
    return page


def what_is_stored_for_all_is_said_at_the_field(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Psst, production")
    press(page, "New request", "#panel-request")
    set_field(page, "Path", "/users/alice")
    settle(page)
    shown = page.run("playground.form.controls.before.control.placeholder")
    expect("for all requests" in shown and "{" in shown, f"the stored document: {shown}")
    set_field(page, "Path", "/users/nobody")
    settle(page)
    expect(page.run("playground.form.controls.before.control.placeholder") == "not stored", "and where nothing is, that")
    return page


GUARDED = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} {
      allow read: if request.auth != null && request.auth.uid == uid;
      allow write: if request.auth != null && request.auth.uid == uid;
      allow delete: if request.auth.uid == uid;
    }
  }
}
"""


def one_finding_is_taken_out_at_a_time(browser, url):
    page = blank(browser, url)
    set_rules(page, GUARDED)
    press(page, "Find redundant rules", "#problems")
    page.wait("[...document.querySelectorAll('#problems button')].some((one) => one.textContent === 'Remove')")
    settle(page)
    where = page.run("[...document.querySelectorAll('#problems li')].filter((one) => [...one.querySelectorAll('button')].some((it) => it.textContent === 'Remove'))"
                     ".map((one) => one.querySelector('code.small').textContent)")
    expect(where == ["covered-allow"], f"it stands at what decides nothing: {where}")
    press(page, "Remove", "#problems")
    settle(page)
    expected = GUARDED.replace("      allow delete: if request.auth.uid == uid;\n", "")
    expect(page.run("playground.editor.text") == expected, page.run("playground.editor.text"))
    page.run("document.execCommand('undo')")
    expect(page.run("playground.editor.text") == GUARDED, "one undo takes it back")
    return page


def what_buttons_say_is_in_sight(browser, url):
    page = blank(browser, url)
    for width, height in [(360, 740), (1440, 900), (1920, 1080)]:
        page.resize(width, height)
        for text, within in [("Add to the suite", "#panel-request"), ("Go to definition", "#problems"), ("Format", "#problems")]:
            page.run("hush()")
            press(page, text, within)
            page.wait("document.getElementById('announcement').textContent")
            page.run("new Promise((resolve) => setTimeout(resolve, 100))")
            expect(in_sight(page, "#announcement"), f"what {text} says at {width} px")
    page.run("hush()")
    expect(page.run("getComputedStyle(document.getElementById('toast')).opacity") == "0", "and is gone afterwards")
    return page


def the_verdict_stays_in_sight(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Psst, production")
    for width, height in [(360, 740), (800, 900), (1024, 768), (1440, 900), (1920, 1080)]:
        page.resize(width, height)
        for label in ["Data written", "User ID", "Path"]:
            set_field(page, "Method", "update")
            page.run(f"""(() => {{
              const label = [...document.querySelectorAll('#form label')].find((one) => one.textContent === {json.dumps(label)});
              const control = document.getElementById(label.htmlFor);
              control.scrollIntoView({{ block: 'end' }});
              control.focus();
            }})()""")
            settle(page)
            word = "#verdict-word" if width > 800 else "#verdict-bar .verdict"
            expect(in_sight(page, word), f"the verdict at {width} px, while {label} is typed")
        page.run("for (const one of document.querySelectorAll('[role=tabpanel], html')) one.scrollTop = 1e6")
        settle(page)
        expect(in_sight(page, word), f"the verdict at the end of what is below it, at {width} px")
        page.run("for (const one of document.querySelectorAll('[role=tabpanel], html')) one.scrollTop = 0")
        page.run("scrollTo(0, 0)")
        expect(in_sight(page, word), f"the verdict on the first screen at {width} px")
        if width > 800:
            expect(page.run("document.documentElement.scrollHeight <= innerHeight"), f"the halves scroll by themselves at {width} px")
            expect(in_sight(page, "#rules"), f"the rules are in sight at {width} px")
    return page


def the_picture_fits_and_has_colours(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Sorted")
    for width in [1024, 1440, 1920]:
        page.resize(width, 900)
        page.run("new Promise((resolve) => setTimeout(resolve, 400))")
        settle(page)
        page.wait("document.querySelector('pre.picture .p-false, pre.picture .p-true')")
        over = page.run("((it) => it.scrollWidth - it.clientWidth)(document.querySelector('#reasons pre.picture'))")
        expect(over <= 0, f"the picture is {over} px too wide at {width} px")
        expect("\x1b" not in said(page), "no control character is left")
    page.resize(360, 740)
    page.run("new Promise((resolve) => setTimeout(resolve, 400))")
    settle(page)
    page.wait("!document.querySelector('pre.picture') && document.querySelector('#reasons details.values').open")
    return page


def who_can_write_a_field_is_a_question(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Psst, production")
    page.key("3", alt=True)
    page.run("""((field) => { field.value = 'fcmToken'; field.dispatchEvent(new Event('input')); field.focus(); })(document.getElementById('field'))""")
    page.key("Enter")
    page.wait("document.querySelector('#panel-matrix .headlines')")
    words = page.run("document.querySelector('#panel-matrix .headlines').textContent")
    expect("fcmToken can be written by owner {userID}" in words.replace("userId", "userID"), words)
    expect("update fcmToken" in page.run("document.querySelector('#panel-matrix table').textContent"), "with a row of its own")
    page.run("""((field) => { field.value = 'nothing'; field.dispatchEvent(new Event('input')); })(document.getElementById('field'))""")
    expect(page.run("document.querySelector('#panel-matrix .results').textContent") == "", "nothing of another field is left")
    set_rules(page, page.run("blankState().rules").replace("allow read, write: if request.auth.uid == uid", "allow read: if true"))
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-matrix .results').textContent.includes('no client can write it')")
    return page


def matrix_and_diff_answer_at_once(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Sorted")
    page.click("#tab-matrix")
    page.wait("document.querySelector('#panel-matrix td')")
    page.key("4", alt=True)
    page.wait("document.querySelector('#panel-diff .badge')")
    page.run("playground.state.old = ''; playground.views.diff.load(); playground.openTab('request')")
    page.click("#tab-diff")
    settle(page)
    expect(page.run("document.querySelector('#panel-diff .results').textContent") == "", "nothing is asked without older rules")
    return page


def colours_say_who_is_let_in(browser, url):
    page = blank(browser, url)
    set_rules(page, page.run("blankState().rules").replace(
        "allow read, write: if request.auth.uid == uid",
        "allow get: if true; allow list: if resource.data.x == 1; allow write: if request.auth.uid == uid"))
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-matrix td').length > 5")
    tones = page.run("""Object.fromEntries([...document.querySelectorAll('#panel-matrix td')].map((one) =>
      [one.querySelector('button').getAttribute('aria-label'), one.className]))""")
    for name, tone in [("signed out: get: always", "in-anyone"), ("signed-in stranger: get: always", "in-anyone"),
                       ("signed out: list: only if", "in-anyone-if"), ("owner {uid}: delete: always", "in-named"),
                       ("signed out: delete: never", "in-nobody")]:
        expect(tone in tones.get(name, "").split(), f"{name}: {tones.get(name)} of {list(tones)}")
    return page


def without_an_address_a_file_is_shared(browser, url):
    page = blank(browser, url)
    open_example(page, "Example: a blog")
    page.click("#share")
    page.wait("document.getElementById('share-dialog').open")
    expect(page.run("document.getElementById('share-link').hidden"), "a link to a disk leads nowhere")
    expect("opened from a disk" in page.run("document.getElementById('share-why').textContent"), "it says why")
    page.run("""(async () => {
      const data = new DataTransfer();
      data.items.add(new File([JSON.stringify({ ...playground.state, documents: '{ "/a/b": {} }' })], 'x.json'));
      document.getElementById('state-file').files = data.files;
      document.getElementById('state-file').dispatchEvent(new Event('change'));
    })()""")
    page.wait("playground.state.documents.includes('/a/b')")
    page.run("""(async () => {
      const data = new DataTransfer();
      data.items.add(new File(['{'], 'y.json'));
      document.getElementById('state-file').files = data.files;
      document.getElementById('state-file').dispatchEvent(new Event('change'));
    })()""")
    page.wait("document.getElementById('announcement').textContent.includes('y.json cannot be opened')")
    return page


def what_javascript_has_is_put_in_quotes(browser, url):
    page = blank(browser, url)
    set_field(page, "Method", "create")
    set_field(page, "Data written", "{fcmToken: 'x \"y\"', a: {b: [1.0]}, }")
    page.wait("document.querySelector('[aria-invalid]')")
    press(page, "Write it with quotes", "#form")
    page.wait("document.body.dataset.verdict === 'allow'")
    expect(page.run("playground.form.request.data") == '{"fcmToken": "x \\"y\\"", "a": {"b": [1.0]}, }',
           page.run("playground.form.request.data"))
    set_field(page, "Method", "list")
    expect(page.run("playground.form.controls.path.control.value") == "/users", "a list has a collection")
    set_field(page, "Method", "get")
    expect(page.run("playground.form.controls.path.control.value") == "/users/alice", "and a document its name back")
    return page


def a_finding_is_explained_without_markup(browser, url):
    page = blank(browser, url)
    set_rules(page, page.run("blankState().rules").replace("request.auth.uid == uid", "true"))
    press(page, "Explain", "#problems")
    page.wait("document.getElementById('explain').open")
    words = page.run("document.getElementById('explanation').textContent")
    expect("#" not in words.split("rules_version")[0] and "`" not in words, words[:300])
    expect(page.run("document.querySelectorAll('#explanation pre').length") > 0, "with its examples")
    page.key("Escape")
    return page


def a_verdict_is_there_at_once(browser, url):
    page = blank(browser, url)
    expect(verdict(page) == "ALLOW", f"the blank page's own request: {verdict(page)}")
    expect("line 5" in said(page), "the statement is named")
    expect(page.run("document.getElementById('notice').hidden"), "nothing is wrong with a link that is not there")
    return page


def typing_in_the_rules_decides_anew(browser, url):
    page = blank(browser, url)
    page.run("playground.editor.select(playground.editor.text.indexOf('== uid') + 3, playground.editor.text.indexOf('== uid') + 6)")
    page.type("'bob'")
    page.wait("document.body.dataset.verdict === 'deny'")
    expect('"alice" vs "bob"' in said(page), "it says why")
    page.run("document.execCommand('undo')")
    page.wait("document.body.dataset.verdict === 'allow'")
    return page


def problems_are_found_and_mended_by_click(browser, url):
    page = blank(browser, url)
    page.run("playground.editor.text = playground.editor.text.replace('request.auth.uid', 'reqest.auth.uid');"
             "playground.state.rules = playground.editor.text; playground.changed()")
    page.wait("document.querySelectorAll('.problems li').length > 0")
    expect(page.run("document.querySelectorAll('.paint [class*=m-]').length > 0"), "the place is marked")
    page.key("F8")
    expect(page.run("document.activeElement === playground.editor.area"), "F8 goes to it")
    press(page, "Write request", "#problems")
    page.wait("document.querySelectorAll('.problems li').length === 0")
    page.wait("document.body.dataset.verdict === 'allow'")
    return page


def every_field_of_a_request_counts(browser, url):
    page = blank(browser, url)
    set_field(page, "Client", "")
    page.wait("document.body.dataset.verdict === 'deny'")
    set_field(page, "Client", "yes")
    set_field(page, "Method", "update")
    set_field(page, "Stored document", '{"a": 1.0}')
    set_field(page, "Data written", '{"a": ')
    page.wait("document.querySelector('[aria-invalid]')")
    expect(verdict(page) == "NO VERDICT", "a broken field is no verdict")
    set_field(page, "Data written", '{"a": 2}')
    page.wait("document.body.dataset.verdict === 'allow'")
    set_field(page, "User ID", "mallory")
    page.wait("document.body.dataset.verdict === 'deny'")
    set_field(page, "Path", "/nothing/here")
    page.wait("document.getElementById('verdict').textContent.includes('match')")
    set_field(page, "Method", "list")
    set_field(page, "Path", "/users")
    set_field(page, "Filters", '[["__name__", "==", {"$ref": "/users/mallory"}]]')
    page.wait("document.body.dataset.verdict === 'allow'")
    return page


def the_database_is_the_one_that_is_set(browser, url):
    page = blank(browser, url)
    rules = LONG_RULES % "    match /events/{id} { allow read: if true; }\n"
    rules = rules.replace("/databases/{database}/", "/databases/prod/")
    page.run(f"playground.editor.replace(0, playground.editor.text.length, {json.dumps(rules)})")
    set_field(page, "Path", "/events/x")
    page.wait("document.body.dataset.verdict === 'deny'")
    expect(page.run("document.getElementById('database-name').textContent") == "database (default)", "it is said")
    page.wait("document.querySelector('.problems').textContent.includes('foreign-database')")
    set_field(page, "Database, for all requests", "prod")
    page.wait("document.body.dataset.verdict === 'allow'")
    expect("database prod" in said(page), "the verdict names it")
    expect(page.run("document.getElementById('database-name').textContent") == "database prod", "the head names it")
    page.wait("!document.querySelector('.problems').textContent.includes('foreign-database')")
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-matrix td').length > 2")
    expect(page.run("document.querySelector('#panel-matrix .a-always') !== null"), "the matrix is of that database")
    page.key("5", alt=True)
    press(page, "Write it from requests and claims", "#panel-suite")
    page.wait("playground.state.suite.includes('\"database\": \"prod\"')")
    page.run("""playground.state.database = '';
      playground.views.suite.set(playground.state.suite.replaceAll('"prod"', '"audit"'))""")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-suite').textContent.includes('database audit')")
    press(page, "Load its tests as requests", "#panel-suite")
    page.wait("document.body.dataset.verdict === 'deny'")
    expect(page.run("playground.state.database") == "audit", "the suite's database becomes the page's")
    page.run("location.hash = ''; stateToHash({...playground.state, database: 'prod'}).then((one) => { location.hash = one })")
    page.wait("playground.state.database === 'prod' && document.body.dataset.verdict === 'allow'")
    set_field(page, "Database, for all requests", "a/b")
    page.wait("document.body.dataset.verdict === 'none'")
    expect("contains a slash" in said(page), "a name that cannot be is refused")
    return page


def examples_are_as_they_expect(browser, url):
    page = blank(browser, url)
    for name in page.run("[...document.querySelectorAll('#examples option')].slice(2).map((one) => one.textContent)"):
        open_example(page, name)
        wrong = page.run("[...document.querySelectorAll('.chip.wrong')].map((one) => one.textContent)")
        expect(wrong == [], f"{name}: {wrong}")
        expect(page.run("document.querySelectorAll('.chip').length") > 3, f"{name} has requests")
    return page


def claims_are_proved_or_shown_broken(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Sorted")
    page.key("2", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-claims .badge').length >= 5")
    words = page.run("[...document.querySelectorAll('#panel-claims .badge')].map((one) => one.textContent)")
    expect(all(one == "✓ PROVED" or one.endswith(", as expected") for one in words), f"{words}")
    page.run("playground.state.claims = [{...playground.state.claims[0], condition: \"request.auth.uid == 'x'\"}]; playground.views.claims.load()")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-claims .badge')?.textContent.includes('VIOLATED')")
    press(page, "Load this request", "#panel-claims")
    settle(page)
    page.wait("document.body.dataset.verdict === 'allow'")
    expect(page.run("!document.getElementById('panel-request').hidden"), "the form is open")
    return page


def the_matrix_opens_its_witnesses(browser, url):
    page = blank(browser, url)
    open_example(page, "App: Sorted")
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-matrix td').length > 10")
    page.click("#panel-matrix .a-onlyIf button")
    page.wait("document.querySelector('#panel-matrix .opened')")
    press(page, "Load this request", "#panel-matrix .opened")
    settle(page)
    page.wait("document.body.dataset.verdict === 'allow'")
    return page


SELF_GRANTED = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} {
      allow read, write: if request.auth.uid == uid;
    }
    match /admin/{x} {
      allow read: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
    }
  }
}
"""


def what_takes_two_requests_is_found(browser, url):
    page = blank(browser, url)
    page.run(f"playground.state.rules = playground.editor.text = {json.dumps(SELF_GRANTED)}; playground.changed()")
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-matrix .badge')?.textContent.includes('ALARM')")
    press(page, "Add these requests to the suite", "#panel-matrix")
    page.run("playground.views.suite.run()")
    settle(page)
    expect("1 test" in page.run("document.querySelector('#panel-suite .results').textContent"), "the steps are a test")
    expect("0 failed" in page.run("document.querySelector('#panel-suite .results').textContent"), "that passes")
    role = "get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin'"
    page.run("playground.state.claims = [{...playground.state.claims[0], path: '/admin/{x}', methods: 'read',"
             f" condition: {json.dumps(role)}, through: 'any'}}]; playground.views.claims.load()")
    page.key("2", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-claims .badge')?.textContent.includes('VIOLATED')")
    expect("creates /users/alice with role" in page.run("document.querySelector('#panel-claims').textContent"),
           "the sequence is shown")
    return page


def a_comparison_says_what_was_loosened(browser, url):
    page = blank(browser, url)
    page.key("4", alt=True)
    press(page, "Copy the current rules", "#panel-diff")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-diff .badge')?.textContent.includes('EQUIVALENT')")
    page.run("playground.editor.text = playground.editor.text.replace('read, write: if request.auth.uid == uid', 'read, write: if request.auth != null');"
             "playground.state.rules = playground.editor.text; playground.changed()")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-diff .card .badge')?.textContent === 'LOOSENED'")
    page.run("document.querySelector('#panel-diff .card button').click()")
    settle(page)
    page.wait("document.body.dataset.verdict === 'allow'")
    return page


def a_suite_is_written_opened_and_run(browser, url):
    page = blank(browser, url)
    open_example(page, "Example: counters and votes")
    page.key("5", alt=True)
    press(page, "Write it from requests and claims", "#panel-suite")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-suite .results p')?.textContent.includes(' 0 failed')")
    page.run("playground.state.claims = [blankClaim()]")
    press(page, "Load its tests as requests", "#panel-suite")
    settle(page)
    expect(page.run("document.querySelectorAll('.chip.wrong').length") == 0, "they are decided alike")
    expect(page.run("playground.state.claims.length") == 2, "the claims come along")
    press(page, "Add to the suite", "#panel-request")
    count = page.run("member(readJson(playground.state.suite), 'tests').elements.length")
    expect(count == 5, f"one test more: {count}")
    return page


def set_rules(page, text):
    page.run(f"playground.state.rules = playground.editor.text = {json.dumps(text)}; playground.changed()")
    settle(page)


def chips(page):
    """The signs of the requests: allowed, denied, not known."""
    return page.run("[...document.querySelectorAll('.chip')].map((one) => /[✓✗?]/.exec(one.textContent)[0]).join('')")


def a_sequence_is_typed_and_kept(browser, url):
    page = blank(browser, url)
    set_rules(page, SELF_GRANTED)
    set_field(page, "Method", "create")
    set_field(page, "Data written", '{ "role": "admin" }')
    press(page, "Next step", "#panel-request")
    set_field(page, "Method", "get")
    set_field(page, "Path", "/admin/x")
    settle(page)
    expect(chips(page) == "✓✓", f"the second finds what the first left: {chips(page)}")
    words = said(page)
    expect("Step 2 of 2" in words, "it says what it is")
    expect('"admin"' in page.run("document.querySelector('pre.picture').textContent"), "with the values of this step")
    expect(page.run("playground.form.fields.before.hidden"), "a step stores nothing of its own")
    page.run("document.querySelectorAll('.chip')[0].click()")
    set_field(page, "Data written", '{ "role": "guest" }')
    settle(page)
    expect(chips(page) == "✓✗", f"what the first writes counts for the second: {chips(page)}")
    set_field(page, "Data written", '{ "role": ')
    settle(page)
    expect(chips(page) == "??", f"nor is it known without the first: {chips(page)}")
    page.run("document.querySelectorAll('.chip')[1].click()")
    settle(page)
    expect("before it cannot be read" in said(page), "it says why")
    set_field(page, "request.time", "nonsense")
    page.run("document.querySelectorAll('.chip')[0].click()")
    set_field(page, "Data written", '{ "role": "admin" }')
    settle(page)
    expect(chips(page) == "✓?" and verdict(page) == "ALLOW", f"a later step takes nothing from the first: {chips(page)}")
    page.run("document.querySelectorAll('.chip')[1].click()")
    set_field(page, "request.time", "")
    settle(page)
    expect(chips(page) == "✓✓", chips(page))
    press(page, "Add to the suite", "#panel-request")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("1 test" in told and " 0 failed" in told, told)
    press(page, "Load its tests as requests", "#panel-suite")
    settle(page)
    expect(chips(page) == "✓✓" and page.run("playground.state.requests[1].follows"), "and it comes back")
    press(page, "Remove", "#panel-request")
    settle(page)
    expect(chips(page) == "✗", "what followed the first follows nothing")
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-matrix .badge')?.textContent.includes('ALARM')")
    press(page, "Load these requests", "#panel-matrix")
    settle(page)
    expect(chips(page)[-3:] == "✗✓✓", f"a sequence that was found is loaded: {chips(page)}")
    return page


ROOMS = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /rooms/{room} {
      allow read: if request.auth.uid in resource.data.members;
      allow update: if get(/databases/$(database)/documents/bans/list).data.uids.hasAny([request.auth.uid]) == false
        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['topic']);
    }
  }
}
"""

ROOMS_SUITE = {
    "time": "2025-10-21T09:00:00Z",
    "users": {"al": {"uid": "alice"}},
    "documents": {"/rooms/r": {"members": ["bob"]}, "/bans/list": {"uids": []}},
    "tests": [
        {"as": "al", "get": "/rooms/r", "expect": "deny"},
        {"as": "al", "get": "/rooms/r", "documents": {"/rooms/r": {"members": ["alice"]}}, "expect": "allow"},
        {"as": "al", "set": "/rooms/r", "data": {"topic": "x", "members": []}, "merge": ["topic"], "expect": "allow"},
        {"group": "banned", "as": "al", "documents": {"/bans/list": {"uids": ["alice"]}}, "tests": [
            {"update": "/rooms/r", "data": {"topic": "x"}, "expect": "deny"},
            {"name": "twice", "steps": [
                {"update": "/rooms/r", "data": {"topic": "x"}, "expect": "deny"},
                {"as": {"uid": "bob"}, "update": "/rooms/r", "data": {"topic": "x"}, "expect": "allow"}]}]},
        {"as": "al", "update": "/rooms/r", "data": {"topic": "x"}, "expect": "allow"},
    ],
}


def tests_keep_their_documents_as_requests(browser, url):
    page = blank(browser, url)
    set_rules(page, ROOMS)
    page.run(f"playground.views.suite.set({json.dumps(json.dumps(ROOMS_SUITE))}); playground.openTab('suite')")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("6 tests" in told and " 0 failed" in told, told)
    press(page, "Load its tests as requests", "#panel-suite")
    settle(page)
    expect(chips(page) == "✗✓✓✗✗✓✓", f"decided as the tests are: {chips(page)}")
    expect(page.run("document.querySelectorAll('.chip.wrong').length") == 0, "none is unexpected")
    page.run("playground.state.claims = []; void playground.views.suite.write()")
    page.wait("document.getElementById('question').open")
    page.click("#question-yes")
    page.wait("playground.state.suite.includes('firestore.rules')")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("6 tests" in told and " 0 failed" in told, told)
    return page


def a_test_has_the_documents_it_needs(browser, url):
    page = blank(browser, url)
    set_rules(page, ROOMS)
    set_field(page, "Path", "/rooms/r")
    set_field(page, "Other stored documents, for all requests", '{ "/rooms/r": { "members": ["alice"] }, "/a/b": {} }')
    settle(page)
    expect(chips(page) == "✓", chips(page))
    press(page, "Add to the suite", "#panel-request")
    set_field(page, "User ID", "bob")
    settle(page)
    press(page, "Add to the suite", "#panel-request")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("2 tests" in told and " 0 failed" in told, told)
    page.run("playground.state.claims = []; void playground.views.suite.write()")
    page.wait("document.getElementById('question').open")
    page.click("#question-yes")
    page.wait("!playground.state.suite.includes('deny') || playground.state.suite.includes('claims')")
    press(page, "Add to the suite", "#panel-request")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("2 tests" in told and " 0 failed" in told, told)
    expect(page.run("playground.state.suite.split('members').length") == 2, "what the suite has needs no test have")
    return page


def the_last_of_two_links_wins(browser, url):
    page = blank(browser, url)
    links = page.run("""(() => {
      const read = stateFromHash;
      stateFromHash = async (hash) => {
        const state = await read(hash);
        if (state.documents.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 300));
        return state;
      };
      return Promise.all(['slow', 'quick'].map((text) =>
        stateToHash({ ...blankState(), documents: `{ "/a/b": { "x": "${text}" } }` })));
    })()""")
    page.run(f"""addEventListener('hashchange', () => {{ location.hash = {json.dumps(links[1])}; }}, {{ once: true }});
      location.hash = {json.dumps(links[0])}""")
    page.run("new Promise((resolve) => setTimeout(resolve, 600))")
    expect(page.run("playground.state.documents.includes('quick')"), "the first one is read later, and too late")
    # What is typed while a link is read is not replaced by it either.
    page.run(f"location.hash = {json.dumps(links[0])}")
    set_field(page, "User ID", "bob")
    page.run("new Promise((resolve) => setTimeout(resolve, 600))")
    expect(page.run("playground.state.requests[0].uid") == "bob", "typing goes on")
    return page


def line_ends_of_windows_move_no_place(browser, url):
    page = blank(browser, url)
    rules = page.run("blankState().rules").replace("request.auth.uid", "reqest.auth.uid").replace("\n", "\r\n")
    page.run(f"""(async () => {{
      location.hash = await stateToHash({{ ...blankState(), rules: {json.dumps(rules)}, suite: '{{\\r\\n}}' }});
    }})()""")
    page.wait("document.querySelectorAll('.problems li').length > 0")
    page.key("F8")
    chosen = page.run("playground.editor.text.slice(playground.editor.area.selectionStart, playground.editor.area.selectionEnd)")
    expect(chosen == "reqest", f"the place of the problem: {chosen}")
    expect(not page.run("JSON.stringify(playground.state).includes('\\\\r')"), "no text has other line ends")
    return page


def an_older_answer_is_never_shown(browser, url):
    page = blank(browser, url)
    page.key("2", alt=True)
    told = page.run("""(async () => {
      const seen = new Set(), { claims } = playground.views;
      new MutationObserver(() => {
        for (const one of document.querySelectorAll('#panel-claims .badge')) seen.add(one.textContent);
      }).observe(document.getElementById('panel-claims'), { subtree: true, childList: true });
      const ask = (condition) => {
        playground.state.claims[0].condition = condition;
        claims.load();
        return claims.run();
      };
      await Promise.all([ask("request.auth.uid == 'x'"), ask("request.auth.uid == 'y'"), ask('request.auth.uid == uid')]);
      return [...seen].join();
    })()""")
    expect(told == "✓ PROVED", f"only the last answer: {told}")
    page.run("void playground.views.claims.run()")
    page.run("""(() => {
      const field = document.querySelector('#panel-claims input[aria-label^=condition]');
      field.value = 'true';
      field.dispatchEvent(new Event('input'));
    })()""")
    settle(page)
    expect(page.run("document.querySelector('#panel-claims .results').textContent + document.querySelectorAll('#panel-claims .badge').length")
           == "0", "nothing of a claim that has changed")
    page.key("4", alt=True)
    press(page, "Copy the current rules", "#panel-diff")
    page.run("void playground.views.diff.run()")
    settle(page)
    page.run("""playground.views.diff.old.value = 'x'; playground.views.diff.old.dispatchEvent(new Event('input'))""")
    expect(page.run("document.querySelector('#panel-diff .results').textContent") == "", "nor of other old rules")
    return page


def what_cannot_be_decided_is_said_of_no_other_request(browser, url):
    page = blank(browser, url)
    press(page, "Copy", "#panel-request")
    press(page, "Copy", "#panel-request")
    settle(page)
    expect(chips(page) == "✓✓✓", chips(page))
    set_field(page, "Token and custom claims", "{")
    settle(page)
    expect(chips(page) == "✓✓?", f"a field that cannot be read: {chips(page)}")
    page.run("playground.editor.select(playground.editor.text.indexOf('== uid') + 3, playground.editor.text.indexOf('== uid') + 6)")
    page.type("'bob'")
    settle(page)
    expect(chips(page) == "✗✗?", f"the others are decided anew: {chips(page)}")
    page.run("document.execCommand('undo')")
    set_field(page, "Token and custom claims", "")
    set_field(page, "request.time", "nonsense")
    settle(page)
    expect(chips(page) == "✓✓?", f"what the engine refuses: {chips(page)}")
    expect(verdict(page) == "NO VERDICT", verdict(page))
    page.run("document.querySelectorAll('.chip')[0].click()")
    settle(page)
    expect(verdict(page) == "ALLOW" and chips(page) == "✓✓?", "and another request has its own")
    set_field(page, "Other stored documents, for all requests", "[")
    settle(page)
    expect(chips(page) == "???" and verdict(page) == "NO VERDICT", f"documents of all requests: {chips(page)}")
    set_field(page, "Other stored documents, for all requests", "")
    set_rules(page, "service cloud.firestore {")
    expect(chips(page) == "???", f"rules that do not compile: {chips(page)}")
    return page


def nothing_is_replaced_unasked(browser, url):
    page = blank(browser, url)
    open_example(page, "Example: a blog")
    page.key("5", alt=True)
    page.run("playground.views.suite.area.value += '// mine'; playground.views.suite.area.dispatchEvent(new Event('input'))")
    press(page, "Write it from requests and claims", "#panel-suite")
    page.wait("document.getElementById('question').open")
    page.key("Escape")
    page.wait("!document.getElementById('question').open")
    expect(page.run("playground.state.suite.endsWith('// mine')"), "Esc keeps it")
    press(page, "Write it from requests and claims", "#panel-suite")
    page.wait("document.getElementById('question').open")
    press(page, "Replace it", "#question")
    page.wait("!playground.state.suite.endsWith('// mine')")
    page.click("#back")
    expect(page.run("playground.state.suite.endsWith('// mine')"), "and even then it can be brought back")
    open_example(page, "Blank")
    expect(page.run("JSON.stringify({...playground.state, tab: 'request'}) === JSON.stringify(blankState())"), "blank")
    page.click("#back")
    expect(page.run("playground.state.suite.endsWith('// mine')"), "an example can be taken back, too")
    return page


def what_a_link_replaces_can_be_brought_back(browser, url):
    page = blank(browser, url)
    set_field(page, "User ID", "bob")
    page.wait("localStorage.getItem('rules-check.playground.1')?.includes('\"bob\"')")
    link = page.run("stateToHash({ ...blankState(), documents: '{}' })")
    for address in [url + link, url]:
        page.open("about:blank")
        page.open(address)
        page.wait("document.body.dataset.verdict")
        expect(page.run("playground.state.documents") == "{}", "the link is open, and kept")
        page.wait("localStorage.getItem('rules-check.playground.1')?.includes('{}')")
        expect(not page.run("document.getElementById('back').hidden"), "there is something to bring back")
    page.click("#back")
    expect(page.run("playground.state.requests[0].uid") == "bob", "what was there before the link")
    page.click("#back")
    expect(page.run("playground.state.documents") == "{}", "and the link again")
    page.run("localStorage.setItem('rules-check.playground.aside.1', '{')")
    page.open("about:blank")
    page.open(url)
    page.wait("document.body.dataset.verdict")
    page.click("#back")
    expect(page.run("document.getElementById('back').hidden"), "what is damaged is not brought back")
    page.run("localStorage.clear()")
    return page


def typing_is_answered_while_a_proof_goes_on(browser, url):
    page = blank(browser, url)
    blocks = "".join(
        f"    match /c{i}/{{id}} {{ allow read, write: if request.auth.uid == id && resource.data.a{i} is string"
        f" && get(/databases/$(database)/documents/u/$(id)).data.r{i} in ['x', 'y', 'z']; }}\n" for i in range(150))
    blocks += "    match /users/{uid} { allow read: if request.auth.uid == uid; }\n"
    set_rules(page, LONG_RULES % blocks)
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("playground.prover?.isReady && playground.prover.running")
    set_field(page, "User ID", "bob")
    page.wait("document.body.dataset.verdict === 'deny'")
    expect(page.run("playground.prover.running?.slot") == "audit", "the matrix is still being made")
    page.wait("!document.getElementById('stop').hidden")
    page.key("Escape")
    page.wait("document.querySelector('#panel-matrix .problem')?.textContent.includes('stopped')")
    page.key("Enter", ctrl=True)
    page.wait("playground.prover.isReady && playground.prover.running")
    page.run("playground.editor.area.focus(); playground.editor.area.setSelectionRange(0, 0)")
    page.type(" ")
    settle(page)
    expect(page.run("document.querySelector('#panel-matrix .results').textContent") == "", "it is over with other rules")
    return page


def floats_stay_floats(browser, url):
    page = blank(browser, url)
    text = '{"a": 1.0, "b": 1, "c": 9223372036854775807}'
    laid = page.run(f"layJson(readJson({json.dumps(text)}))")
    expect("1.0" in laid and "9223372036854775807" in laid, laid)
    return page


def links_carry_everything(browser, url):
    page = blank(browser, url)
    open_example(page, "Example: a blog")
    page.run("linksWork = () => true")
    page.click("#share")
    page.wait("document.getElementById('share-dialog').open")
    page.wait("document.getElementById('link').value")
    link = page.run("document.getElementById('link').value")
    other = browser.page(link)
    other.wait("document.body.dataset.verdict")
    expect(other.run("JSON.stringify(playground.state)") == page.run("JSON.stringify(playground.state)"), "the same state")
    other.close()
    return page


def damaged_links_do_no_harm(browser, url):
    page = blank(browser, url)
    bomb = page.run("""(async () => {
      const data = new Blob([new Uint8Array(60_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
      const bytes = new Uint8Array(await new Response(data).arrayBuffer());
      let text = ''; for (const one of bytes) text += String.fromCharCode(one);
      return '#1.' + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    })()""")
    hashes = ["#nonsense", "#1.@@@@", "#1." + "A" * 5000, "#2.x", bomb]
    for value in hashes:
        page.run(f"location.hash = {json.dumps(value)}")
        page.wait("!document.getElementById('notice').hidden")
        expect("could not be opened" in page.run("document.getElementById('notice').textContent"), value[:20])
        page.run("document.getElementById('notice').hidden = true")
    page.run("location.hash = '#1.' + 'A'.repeat(10_000_000)", timeout=120)
    page.wait("!document.getElementById('notice').hidden")
    expect(verdict(page) == "ALLOW", "the page goes on")
    wrong_types = {"rules": "service cloud.firestore {}", "requests": [{"method": "constructor", "path": 7}, 5],
                   "claims": [{"kind": "__proto__"}], "selected": 99, "tab": "x", "documents": {"a": 1}}
    opened = page.run(f"""(async () => {{
      const hash = await stateToHash({json.dumps(wrong_types)});
      location.hash = hash;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return playground.state.requests[0].method + playground.state.claims[0].kind + playground.state.selected;
    }})()""")
    expect(opened == "getonlyIf0", opened)
    return page


def markup_in_every_field_is_text(browser, url):
    page = blank(browser, url)
    evil = "<img src=x onerror=alert(1)><script>window.broken = true</script></textarea>"
    before = page.run("document.querySelectorAll('img, script').length")
    page.run(f"""(() => {{
      const evil = {json.dumps(evil)};
      const state = soundState({{
        rules: evil, old: evil, documents: evil, suite: evil, tab: 'request', selected: 0,
        requests: [Object.fromEntries(Object.entries(blankRequest()).map(([key, value]) =>
          [key, typeof value === 'string' && !['method', 'expect'].includes(key) ? evil : value]))],
        claims: [Object.fromEntries(Object.entries(blankClaim()).map(([key, value]) => [key, key === 'kind' ? value : evil]))],
      }});
      playground.set(state);
    }})()""")
    settle(page)
    for tab in ["claims", "matrix", "diff", "suite"]:
        page.run(f"playground.openTab('{tab}'); playground.views.{tab}.run()")
        settle(page)
    page.run("playground.state.rules = blankState().rules; playground.editor.text = playground.state.rules; playground.changed()")
    set_field(page, "Stored document", json.dumps({"name": evil}))
    set_field(page, "Path", "/users/" + "<b>x<b>")
    settle(page)
    expect(page.run("document.querySelectorAll('img, script, b b').length") == before, "no element came of it")
    expect(page.run("window.broken === undefined"), "no script ran")
    return page


def a_trap_is_survived(browser, url):
    page = blank(browser, url)
    # A request that cannot be made JSON stops the worker like a trap does.
    message = page.run("playground.engine.ask('test', { do: 'check', rules: 1n }).then((one) => one.value.error)")
    expect("started anew" in message, message)
    set_field(page, "User ID", "bob")
    page.wait("document.body.dataset.verdict === 'deny'")
    return page


def a_browser_that_refuses_workers_is_told_so(browser, url):
    page = browser.page(None)
    page.call("Page.addScriptToEvaluateOnNewDocument", source="window.Worker = class { constructor() { throw new Error('refused'); } }")
    page.open(url)
    page.wait("document.body.dataset.verdict === 'none'")
    words = said(page)
    expect("cannot run the engine: refused" in words, words)
    page.run("void playground.views.matrix.run()")
    page.wait("document.querySelector('#panel-matrix .problem')")
    page.close()
    page = browser.page(None)
    page.call("Page.addScriptToEvaluateOnNewDocument", source="""const Real = Worker;
      window.Worker = class extends Real { constructor() { super(URL.createObjectURL(new Blob(['throw new Error("no")']))); } }""")
    page.open(url)
    page.wait("document.body.dataset.verdict === 'none'")
    expect("cannot run the engine" in said(page), "nor if it comes to nothing")
    page.close()
    return blank(browser, url)


def long_work_can_be_stopped(browser, url):
    page = blank(browser, url)
    blocks = "".join(
        f"    match /c{i}/{{id}} {{ allow read, write: if request.auth.uid == id && resource.data.a{i} is string"
        f" && get(/databases/$(database)/documents/u/$(id)).data.r{i} in ['x', 'y', 'z']; }}\n" for i in range(150))
    page.run(f"playground.state.rules = playground.editor.text = {json.dumps(LONG_RULES % blocks)}; playground.changed()")
    settle(page)
    page.key("3", alt=True)
    page.run("void playground.views.matrix.run()")
    page.wait("!document.getElementById('stop').hidden")
    page.wait("/^\\d+ questions/.test(document.querySelector('#panel-matrix p span + span')?.textContent)")
    page.click("#stop")
    page.wait("document.querySelector('#panel-matrix .problem')?.textContent.includes('stopped')")
    page.run("playground.state.selected = 0; playground.openTab('request'); playground.changed()")
    settle(page)
    page.wait("document.body.dataset.verdict === 'deny'")
    return page


def two_tabs_do_not_disturb_each_other(browser, url):
    one = blank(browser, url)
    two = browser.page(url)
    two.wait("document.body.dataset.verdict")
    set_field(one, "User ID", "bob")
    one.wait("document.body.dataset.verdict === 'deny'")
    expect(verdict(two) == "ALLOW", "the other tab keeps its own")
    # The first tab lies behind the second, and timers of a hidden tab take what time they like.
    two.wait("localStorage.getItem('rules-check.playground.1')?.includes('\"bob\"')")
    two.close()
    three = browser.page(url)
    three.wait("document.body.dataset.verdict === 'deny'")
    three.close()
    return one


def the_keyboard_is_enough(browser, url):
    page = blank(browser, url)
    page.run("document.querySelector('.skip').focus()")
    page.key("?")
    page.wait("document.getElementById('help').open")
    page.key("Escape")
    page.wait("!document.getElementById('help').open")
    page.key("0", alt=True)
    expect(page.run("document.activeElement === playground.editor.area"), "Alt 0 is the editor")
    page.key("Tab")
    expect(page.run("document.activeElement === playground.editor.area"), "Tab indents")
    page.key("Escape")
    page.key("Tab")
    expect(page.run("document.activeElement !== playground.editor.area"), "Esc, then Tab leaves")
    for number, tab in enumerate(["request", "claims", "matrix", "diff", "suite"], 1):
        page.key(str(number), alt=True)
        expect(page.run(f"!document.getElementById('panel-{tab}').hidden"), f"Alt {number}")
    page.key("ArrowLeft")
    expect(page.run("playground.state.tab") == "diff", "arrows move between tabs")
    return page


def tab_to(page, what, most=90):
    """Presses Tab until the focus is on what a condition on `it` says."""
    for _ in range(most):
        page.key("Tab")
        if page.run(f"((it) => !!({what}))(document.activeElement)"):
            return
    raise AssertionError(f"Tab leads never to {what}")


def labelled(label):
    return f"it.labels?.[0]?.textContent === {json.dumps(label)}"


def button(text):
    return f"it.tagName === 'BUTTON' && it.textContent.trim() === {json.dumps(text)}"


def everything_is_done_by_keys_alone(browser, url):
    page = blank(browser, url)
    page.key("Tab")
    expect(page.run("document.activeElement.className") == "skip", "Tab begins at the way to the request")
    tab_to(page, "it.id === 'examples'")
    page.run("document.activeElement.value = [...document.activeElement.options].find((one) => one.textContent === 'App: Sorted').value;"
             "document.activeElement.dispatchEvent(new Event('change'))")
    page.wait("playground.state.rules.includes('fcmToken')")
    settle(page)
    page.key("1", alt=True)
    tab_to(page, button("New request"))
    page.key("Enter")
    settle(page)
    tab_to(page, labelled("Method"))
    for _ in range(4):
        page.key("ArrowDown")
    expect(page.run("document.activeElement.value") == "update", "arrows choose in a list")
    tab_to(page, labelled("Path"))
    page.run("document.activeElement.select()")
    page.type("/users/alice")
    tab_to(page, labelled("User ID"))
    page.run("document.activeElement.select()")
    page.type("mallory")
    tab_to(page, labelled("Stored document"))
    page.type('{"fcmToken": "old"}')
    tab_to(page, labelled("Data written"))
    page.type('{"fcmToken": "stolen"}')
    settle(page)
    expect(verdict(page) == "DENY", verdict(page))
    page.key("1", alt=True)
    tab_to(page, button("Add to the suite"))
    page.key(" ")
    expect("stolen" in page.run("playground.state.suite"), "the test is there")
    page.key("2", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('#panel-claims .badge').length >= 5")
    page.key("3", alt=True)
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-matrix td')")
    tab_to(page, "it.closest('.a-onlyIf')")
    page.key("Enter")
    tab_to(page, button("Load this request"))
    page.key("Enter")
    settle(page)
    expect(verdict(page) == "ALLOW", "the witness is in the form")
    page.key("0", alt=True)
    page.key("Enter")
    page.type("match")
    page.wait("document.querySelectorAll('.problems li').length > 0")
    page.key("F8")
    page.key("Escape")
    tab_to(page, button("Format"))
    page.key("?")
    page.wait("document.getElementById('help').open")
    page.key("Enter")
    page.wait("!document.getElementById('help').open")
    expect(page.run("document.activeElement.textContent") == "Format", "and the focus is where it was")
    return page


def small_and_large_windows_fit(browser, url):
    page = blank(browser, url)
    for width in [360, 800, 1440, 3840]:
        page.resize(width)
        open_example(page, "App: Sorted")
        for tab in ["request", "claims", "matrix", "diff", "suite"]:
            page.run(f"playground.openTab('{tab}')")
            if tab == "matrix":
                page.run("playground.views.matrix.run()")
                settle(page)
            over = page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            expect(over <= 0, f"{tab} at {width} px is {over} px too wide")
    return page


def the_screen_reader_is_told(browser, url):
    page = blank(browser, url)
    set_field(page, "User ID", "bob")
    page.wait("document.getElementById('spoken-verdict').textContent.startsWith('Deny')")
    page.run("document.querySelector('#reasons details.values').open = true")
    nested = page.run("document.querySelectorAll('#reasons .values ul ul li').length")
    expect(nested > 0, "values are a nested list")
    return page


FLOWS = [
    the_first_screen_says_what_the_page_is_for, a_long_file_is_formatted_at_once, a_note_is_a_sentence,
    claims_keep_names_and_expectations, a_claim_is_made_of_a_template, what_is_stored_for_all_is_said_at_the_field,
    one_finding_is_taken_out_at_a_time, what_buttons_say_is_in_sight, the_verdict_stays_in_sight,
    the_picture_fits_and_has_colours, who_can_write_a_field_is_a_question, matrix_and_diff_answer_at_once, colours_say_who_is_let_in,
    without_an_address_a_file_is_shared, what_javascript_has_is_put_in_quotes, a_finding_is_explained_without_markup,
    a_verdict_is_there_at_once, typing_in_the_rules_decides_anew, problems_are_found_and_mended_by_click,
    every_field_of_a_request_counts, the_database_is_the_one_that_is_set, examples_are_as_they_expect, claims_are_proved_or_shown_broken,
    the_matrix_opens_its_witnesses, what_takes_two_requests_is_found, a_comparison_says_what_was_loosened, a_suite_is_written_opened_and_run,
    floats_stay_floats, links_carry_everything, damaged_links_do_no_harm, markup_in_every_field_is_text,
    a_sequence_is_typed_and_kept, tests_keep_their_documents_as_requests,
    a_test_has_the_documents_it_needs, the_last_of_two_links_wins,
    line_ends_of_windows_move_no_place, an_older_answer_is_never_shown,
    what_cannot_be_decided_is_said_of_no_other_request, nothing_is_replaced_unasked,
    what_a_link_replaces_can_be_brought_back,
    typing_is_answered_while_a_proof_goes_on,
    a_trap_is_survived, a_browser_that_refuses_workers_is_told_so, long_work_can_be_stopped, two_tabs_do_not_disturb_each_other, the_keyboard_is_enough,
    everything_is_done_by_keys_alone,
    small_and_large_windows_fit, the_screen_reader_is_told,
]
