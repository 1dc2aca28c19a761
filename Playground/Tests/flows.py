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


def blank(browser, url, **options):
    """The page with nothing remembered."""
    page = browser.page(url, **options)
    # A page keeps its state when it is left; this one may not.
    page.run("localStorage.clear(); Storage.prototype.setItem = () => {}")
    page.open("about:blank")
    page.open(url)
    page.wait("document.body.dataset.verdict")
    return page


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


def a_verdict_is_there_at_once(browser, url):
    page = blank(browser, url)
    expect(verdict(page) == "ALLOW", f"the blank page's own request: {verdict(page)}")
    expect("line 5" in page.run("document.getElementById('verdict').textContent"), "the statement is named")
    expect(page.run("document.getElementById('notice').hidden"), "nothing is wrong with a link that is not there")
    return page


def typing_in_the_rules_decides_anew(browser, url):
    page = blank(browser, url)
    page.run("playground.editor.select(playground.editor.text.indexOf('== uid') + 3, playground.editor.text.indexOf('== uid') + 6)")
    page.type("'bob'")
    page.wait("document.body.dataset.verdict === 'deny'")
    expect('"alice" vs "bob"' in page.run("document.getElementById('verdict').textContent"), "it says why")
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
    expect("database prod" in page.run("document.getElementById('verdict').textContent"), "the verdict names it")
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
    press(page, "Tests become requests", "#panel-suite")
    page.wait("document.body.dataset.verdict === 'deny'")
    expect(page.run("playground.state.database") == "audit", "the suite's database becomes the page's")
    page.run("location.hash = ''; stateToHash({...playground.state, database: 'prod'}).then((one) => { location.hash = one })")
    page.wait("playground.state.database === 'prod' && document.body.dataset.verdict === 'allow'")
    set_field(page, "Database, for all requests", "a/b")
    page.wait("document.body.dataset.verdict === 'none'")
    expect("has a slash" in page.run("document.getElementById('verdict').textContent"), "a name that cannot be is refused")
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
    expect(all("PROVED" in one for one in words), f"{words}")
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
    expect("creates /users/alice with role" in page.run("document.querySelector('#panel-claims .results').textContent"),
           "the sequence is shown")
    return page


def a_comparison_says_what_was_loosened(browser, url):
    page = blank(browser, url)
    page.key("4", alt=True)
    press(page, "Take the present rules", "#panel-diff")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-diff .badge')?.textContent.includes('EQUIVALENT')")
    page.run("playground.editor.text = playground.editor.text.replace('read, write: if request.auth.uid == uid', 'read, write: if request.auth != null');"
             "playground.state.rules = playground.editor.text; playground.changed()")
    page.key("Enter", ctrl=True)
    page.wait("document.querySelector('#panel-diff .badge')?.textContent === 'LOOSENED'")
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
    press(page, "Tests become requests", "#panel-suite")
    settle(page)
    expect(page.run("document.querySelectorAll('.chip.wrong').length") == 0, "they are decided alike")
    expect(page.run("playground.state.claims.length") == 2, "the claims come along")
    press(page, "Make it a test", "#panel-request")
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
    told = page.run("document.getElementById('verdict').textContent")
    expect("Step 2 of 2" in told, "it says what it is")
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
    expect("before it cannot be read" in page.run("document.getElementById('verdict').textContent"), "it says why")
    set_field(page, "request.time", "nonsense")
    page.run("document.querySelectorAll('.chip')[0].click()")
    set_field(page, "Data written", '{ "role": "admin" }')
    settle(page)
    expect(chips(page) == "✓?" and verdict(page) == "ALLOW", f"a later step takes nothing from the first: {chips(page)}")
    page.run("document.querySelectorAll('.chip')[1].click()")
    set_field(page, "request.time", "")
    settle(page)
    expect(chips(page) == "✓✓", chips(page))
    press(page, "Make it a test", "#panel-request")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("1 test" in told and " 0 failed" in told, told)
    press(page, "Tests become requests", "#panel-suite")
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
    press(page, "Tests become requests", "#panel-suite")
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
    press(page, "Make it a test", "#panel-request")
    set_field(page, "User ID", "bob")
    settle(page)
    press(page, "Make it a test", "#panel-request")
    page.run("playground.views.suite.run()")
    settle(page)
    told = page.run("document.querySelector('#panel-suite .results').textContent")
    expect("2 tests" in told and " 0 failed" in told, told)
    page.run("playground.state.claims = []; void playground.views.suite.write()")
    page.wait("document.getElementById('question').open")
    page.click("#question-yes")
    page.wait("!playground.state.suite.includes('deny') || playground.state.suite.includes('claims')")
    press(page, "Make it a test", "#panel-request")
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
      const field = document.querySelector('#panel-claims input[aria-label=condition]');
      field.value = 'true';
      field.dispatchEvent(new Event('input'));
    })()""")
    settle(page)
    expect(page.run("document.querySelector('#panel-claims .results').textContent") == "", "nothing of a claim that has changed")
    page.key("4", alt=True)
    press(page, "Take the present rules", "#panel-diff")
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
    page.click("#share")
    page.wait("document.getElementById('share-dialog').open")
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
    told = page.run("document.getElementById('verdict').textContent")
    expect("cannot run the engine: refused" in told, told)
    page.run("void playground.views.matrix.run()")
    page.wait("document.querySelector('#panel-matrix .problem')")
    page.close()
    page = browser.page(None)
    page.call("Page.addScriptToEvaluateOnNewDocument", source="""const Real = Worker;
      window.Worker = class extends Real { constructor() { super(URL.createObjectURL(new Blob(['throw new Error("no")']))); } }""")
    page.open(url)
    page.wait("document.body.dataset.verdict === 'none'")
    expect("cannot run the engine" in page.run("document.getElementById('verdict').textContent"), "nor if it comes to nothing")
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
    tab_to(page, button("Make it a test"))
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
    page.run("document.querySelector('#verdict details.values').open = true")
    nested = page.run("document.querySelectorAll('#verdict .values ul ul li').length")
    expect(nested > 0, "values are a nested list")
    return page


FLOWS = [
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
