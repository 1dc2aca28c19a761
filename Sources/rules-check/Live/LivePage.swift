import FirestoreTransport
import RulesEval
import RulesReport

/// Answers of the live page: the page with its style and script, with headers that keep other origins out and
/// other scripts from running.
enum LivePage {
  /// The first segment of the page's paths.
  static let root = "live"

  /// The content security policy: only the page's own files, and no frames; style attributes are used by the
  /// coloured rules.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private static func headers(_ type: String) -> [HTTPHeader] {
    [
      HTTPHeader("content-type", type), HTTPHeader("content-security-policy", policy),
      HTTPHeader("x-content-type-options", "nosniff"), HTTPHeader("cache-control", "no-store"),
      HTTPHeader("cross-origin-resource-policy", "same-origin"),
      HTTPHeader("referrer-policy", "no-referrer"), HTTPHeader("vary", "accept"),
    ]
  }

  private static func answer(_ type: String, _ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers("\(type); charset=UTF-8"), text: text)
  }

  /// The page.
  static let page = answer("text/html", document)
  /// The style sheet of the page.
  static let style = answer(
    "text/css", [CoveragePage.colours, CoveragePage.sourceStyle, sheet].joined(separator: "\n"))
  /// The script of the page.
  static let script = answer("text/javascript", program)
  /// The head of an event stream.
  static let events = HTTPResponse(headers: headers("text/event-stream; charset=UTF-8"))
  /// The answer about a request that was dropped.
  static let gone = refusal(404, "The request is no longer kept.")

  /// Returns an answer in JSON.
  static func json(_ json: JSONText) -> HTTPResponse { answer("application/json", json.compact) }

  /// Returns an answer with a part of the page.
  static func fragment(_ markup: String) -> HTTPResponse { answer("text/html", markup) }

  /// Returns a refusal with a sentence.
  static func refusal(_ status: Int, _ sentence: String) -> HTTPResponse {
    answer("text/plain", sentence + "\n", status: status)
  }

  private static let document = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Firestore emulator</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/live/style.css">
    <script src="/live/script.js" defer></script>
    </head>
    <body>
    <header>
    <h1>Firestore emulator <span id="address"></span></h1>
    <p id="state" role="status">connecting</p>
    <div role="tablist" aria-label="Views">
    <button type="button" role="tab" id="tab-requests" aria-controls="requests" aria-selected="true">Requests</button>
    <button type="button" role="tab" id="tab-coverage" aria-controls="coverage" aria-selected="false" tabindex="-1">Coverage</button>
    </div>
    </header>
    <section id="requests" role="tabpanel" aria-labelledby="tab-requests">
    <form id="filters" role="search" aria-label="Filters">
    <label>User <input type="search" name="who" autocomplete="off" spellcheck="false"></label>
    <label>Path <input type="search" name="path" autocomplete="off" spellcheck="false"></label>
    <label>Verdict <select name="verdict">
    <option value="">all</option><option value="allow">allowed</option><option value="deny">denied</option>
    <option value="error">refused</option><option value="open">no rules</option><option value="owner">owner</option>
    </select></label>
    <button type="button" id="line" hidden></button>
    <span id="count" role="status"></span>
    </form>
    <div class="columns">
    <div class="list">
    <p id="empty">No request has come yet. Point an app or a test at <code id="variable"></code></p>
    <ol id="rows" aria-label="Requests, the latest first"></ol>
    </div>
    <aside id="detail" aria-label="The chosen request" tabindex="-1">
    <p class="soft">Choose a request to see why it was decided as it was, and to make it a test.</p>
    </aside>
    </div>
    </section>
    <section id="coverage" role="tabpanel" aria-labelledby="tab-coverage" hidden>
    <p class="controls">
    <label>Database <select id="database"></select></label>
    <a id="values" target="_blank" rel="noopener">values of each expression</a>
    </p>
    <ul class="legend">
    <li><span class="p both">seen</span> every outcome</li>
    <li><span class="p yes">only true</span> never false</li>
    <li><span class="p no">only false</span> never true</li>
    <li><span class="p err">only errors</span></li>
    <li><span class="p never">never</span> evaluated</li>
    </ul>
    <p class="soft">A line number shows the requests that its statement decided.</p>
    <div id="painted"></div>
    </section>
    </body>
    </html>

    """
}
