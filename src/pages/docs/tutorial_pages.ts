import { configKeys } from '#config/schema.ts'
import { type ErrorCode, errorStatus } from '#src/edge/errors.ts'
import { oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'
import type { LimitConfig } from '#src/edge/limits/limits.ts'
import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { type Guide, guidePath, renderLine } from '#src/pages/docs/guides.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { buttonLink, snippet, table } from '#src/pages/kit/parts.ts'
import { english } from '#src/words/language.ts'

const ways = [
  ['/docs/quick-start', 'Quick start', 'Register a work in the sandbox and verify its receipt.'],
  ['/docs/oauth', 'Writing for people', 'An application that researchers permit: OAuth with PKCE.'],
  ['/docs/reference', 'Reference', 'Every operation, with fields, replies, scopes and a trial.'],
  ['/docs/guides/sandbox', 'The sandbox', 'All that programs do, where nothing lasts.'],
  ['/how-it-works', 'Receipts and proofs', 'What is proven, and how to check it without us.'],
  ['/docs/guides/harvesting', 'Harvesting', 'OAI-PMH, feeds, and the feed of changes.'],
  ['/docs/errors', 'Errors', 'Every code, and what to do about it.'],
  ['/docs/limits', 'Limits', 'How many requests, and how large.'],
] as const

/** The page where the documentation begins. */
export function startPage(baseUrl: string): DocsPage {
  const items = ways.map(
    ([path, name, text]) => html`<li><a href="${path}">${name}</a><p>${text}</p></li>`,
  )
  return {
    title: 'Documentation',
    path: '/docs',
    description: 'How programs register works, read them, and verify what was registered.',
    body: html`<p class="lead">Programs speak JSON over HTTPS, below
<code>${baseUrl}/v1</code>. Everybody reads; who writes has a key, or a token of a person.</p>
<ul class="docs-ways">${items}</ul>
<section aria-labelledby="environments"><h2 id="environments">Live and sandbox</h2>
<p>The credential says which one a request is about: <code>svc_test_…</code> and
<code>app_test_…</code> are of the sandbox, and its replies carry
<code>X-SVC-Environment: sandbox</code>. What is registered live stays for ever; try things out in
the sandbox first. Forms on these pages write nowhere else.</p></section>
<section aria-labelledby="files"><h2 id="files">For programs</h2>
<ul><li><a href="/openapi.json">OpenAPI 3.1</a>, with
<a href="/docs/guides/applications#generating-clients">names that generators keep</a></li>
<li><a href="/docs/guides/client">The official client</a> for JavaScript, which verifies what it
reads</li></ul></section>`,
  }
}

const register = `HASH=sha256:$(printf 'A first trial' |
  openssl dgst -sha256 -r | cut -c 1-64)
curl -s "$BASE_URL/v1/works" \\
  -H "authorization: Bearer $KEY" -H 'content-type: application/json' \\
  -d '{
    "work_title": "A first trial",
    "work_type": "article",
    "authors": "Ada Lovelace; Charles Babbage",
    "work_url": "https://press.example/first-trial",
    "content_hash": "'$HASH'"
  }' > work.json
ARK=$(sed -n 's/.*"ark_identifier":"\\([^"]*\\)".*/\\1/p' work.json)
echo "$ARK"`

const resolve = `curl -s "$BASE_URL/api/v1/resolve/$ARK"`

const update = `curl -s -X PUT "$BASE_URL/v1/works/$ARK" \\
  -H "authorization: Bearer $KEY" -H 'content-type: application/json' \\
  -d '{ "description": "Corrected by its publisher." }'`

const receipt = `curl -s "$BASE_URL/api/v1/receipts/$ARK/v1" > receipt.json
RECEIPT=$(sed -n 's/.*"receipt_id":"\\([^"]*\\)".*/\\1/p' receipt.json)
curl -s "$BASE_URL/v1/receipts/verify" \\
  -H 'content-type: application/json' \\
  -d '{ "receipt_id": "'$RECEIPT'", "content_hash": "'$HASH'" }'`

/** Where a reader gets what the quick start needs. `accounts` is the prefix of those pages. */
type QuickStartSite = { readonly baseUrl: string; readonly accounts: string }

/** The first steps, as commands that are pasted one after the other. */
export function quickStartPage({ baseUrl, accounts }: QuickStartSite): DocsPage {
  return {
    title: 'Quick start',
    path: '/docs/quick-start',
    description: 'Register a work in the sandbox, resolve it, change it, and verify its receipt.',
    contents: [
      { path: '#key', name: 'A key' },
      { path: '#register', name: 'Register a work' },
      { path: '#resolve', name: 'Resolve it' },
      { path: '#change', name: 'Change it' },
      { path: '#verify', name: 'Verify its receipt' },
    ],
    body: html`<p class="lead">Five steps in the sandbox: nothing of it is in the registry itself.
The commands need <code>curl</code> and are pasted into one shell, one after the other.</p>
<section aria-labelledby="key"><h2 id="key">A key</h2>
<p>A key of the sandbox begins with <code>svc_test_</code>, or with <code>svc-</code> if it is a
test person’s. Who is signed in makes one with one click, and gets these two lines with the key in
them.</p>
<p>${buttonLink(`${accounts}/account/sandbox`, 'Get a key of the sandbox')}</p>
${snippet('Variables that the other commands use', keyLines(baseUrl, 'svc_test_…'))}</section>
${steps()}
<section aria-labelledby="next"><h2 id="next">Then</h2><ul>
<li><a href="/docs/oauth">Write for people</a> who permit it.</li>
<li><a href="/docs/reference">All operations</a>, each with a form to try it.</li>
<li><a href="/docs/guides/sandbox">What the sandbox has</a>, and what it has not.</li>
<li><a href="/docs/guides/client">The official client</a> for JavaScript.</li></ul></section>`,
  }
}

function keyLines(baseUrl: string, key: string): string {
  return `BASE_URL=${baseUrl}\nKEY=${key}`
}

function steps(): Html {
  return html`<section aria-labelledby="register"><h2 id="register">Register a work</h2>
<p><code>HASH</code> stands for the bytes that you publish: of a file it is made by
<code>openssl dgst -sha256 -r FILE</code>. What is wrong with a work is told
all at once, as 422 with a line for each field.</p>
${snippet('A command that registers a work', register)}</section>
<section aria-labelledby="resolve"><h2 id="resolve">Resolve it</h2>
<p>Everybody can, without a key. In a browser, the ARK after the address of the registry is the page
of the work.</p>
${snippet('A command that resolves the work', resolve)}</section>
<section aria-labelledby="change"><h2 id="change">Change it</h2>
<p>Any difference makes a new version; the version before stays.</p>
${snippet('A command that changes the work', update)}</section>
<section aria-labelledby="verify"><h2 id="verify">Verify its receipt</h2>
<p>Each version has a receipt, signed and logged. Here the registry verifies its own; how to do
without it stands in <a href="/how-it-works#by-hand">How it works</a>.</p>
${snippet('Commands that fetch the receipt and verify it', receipt)}</section>`
}

/** Where the steps are taken: the registry, the identity provider of the sandbox, the pages. */
type OAuthSite = {
  readonly baseUrl: string
  readonly sandboxAuthUrl: string
  readonly accounts: string
}

const person = `curl -s "$BASE_URL/v1/people" -H "authorization: Bearer $KEY" \\
  -H 'content-type: application/json' -d '{ "name": "Tess Tester" }'`

const ask = `VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary |
  base64 | tr '+/' '-_' | tr -d '=')
REDIRECT=http://127.0.0.1:8080/back
ASKED="response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT&state=mine"
ASKED="$ASKED&scope=svc:works:write+svc:works:read"
ASKED="$ASKED&code_challenge=$CHALLENGE&code_challenge_method=S256"
echo "$BASE_URL/api/v1/oauth/authorize?$ASKED"`

const exchange = `curl -s "$BASE_URL/api/v1/oauth/token" \\
  -d grant_type=authorization_code -d "code=$CODE" -d "redirect_uri=$REDIRECT" \\
  -d "client_id=$CLIENT_ID" -d "client_secret=$CLIENT_SECRET" \\
  -d "code_verifier=$VERIFIER" > tokens.json
TOKEN=$(sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p' tokens.json)`

const write = `curl -s "$BASE_URL/api/v1/works" -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' -d '{
    "work_title": "A trial", "work_type": "article", "authors": "Tess Tester",
    "work_url": "https://press.example/trial" }'`

const refresh = `REFRESH=$(sed -n 's/.*"refresh_token":"\\([^"]*\\)".*/\\1/p' tokens.json)
curl -s "$BASE_URL/api/v1/oauth/token" -d grant_type=refresh_token -d "refresh_token=$REFRESH" \\
  -d "client_id=$CLIENT_ID" -d "client_secret=$CLIENT_SECRET" > tokens.json`

/** The steps of an application that writes for a person, in the sandbox. */
export function oauthPage({ baseUrl, sandboxAuthUrl, accounts }: OAuthSite): DocsPage {
  const list = table('Scopes of tokens', oauthScopes, {
    Scope: ({ name }) => html`<code>${name}</code>`,
    'Lets it': ({ meaning }) => meaning,
  })
  return {
    title: 'Writing for people (OAuth)',
    path: '/docs/oauth',
    description:
      'An application that asks a person for permission and writes for them, step by step.',
    contents: [
      { path: '#application', name: 'An application' },
      { path: '#person', name: 'A test person' },
      { path: '#ask', name: 'Ask' },
      { path: '#exchange', name: 'Get a token' },
      { path: '#write', name: 'Write' },
      { path: '#refresh', name: 'Go on' },
      { path: '#scopes', name: 'Scopes' },
    ],
    body: html`<p class="lead">An application sends a person here, they permit it, and it gets a
token that acts for them through it: OAuth 2.0 with PKCE. All of it can be tried in the sandbox.</p>
<section aria-labelledby="application"><h2 id="application">An application</h2>
<p>Owners of an organization register it on its page <em>Applications</em>, with
the switch <em>Sandbox</em> and the address <code>http://127.0.0.1:8080/back</code>.</p>
<p>${buttonLink(`${accounts}/organizations`, 'Choose the organization')}</p>
${snippet(
  'Variables that the other commands use',
  `BASE_URL=${baseUrl}\nKEY=svc_test_…\nCLIENT_ID=app_test_…\nCLIENT_SECRET=…`,
)}</section>
<section aria-labelledby="person"><h2 id="person">A test person</h2>
<p>Made by a key of the organization with <code>people:write</code>. The reply tells with what they
sign in, at <a href="${sandboxAuthUrl}/sign-in">the sign-in of the sandbox</a>.</p>
${snippet('A command that makes a test person', person)}</section>
<section aria-labelledby="ask"><h2 id="ask">Ask</h2>
<p>Open the address that this writes, sign in as the test person, and permit it. The browser comes
back with <code>code</code>, <code>state</code> and <code>iss</code>: compare the last two with what
you sent and with <code>${sandboxAuthUrl}</code>.</p>
${snippet('Commands that write the address to open', ask)}</section>
<section aria-labelledby="exchange"><h2 id="exchange">Get a token</h2>
<p>Within a minute, with the code in <code>CODE</code>: it is good once.</p>
${snippet('Commands that exchange the code for tokens', exchange)}</section>
<section aria-labelledby="write"><h2 id="write">Write</h2>
${snippet('A command that registers a work for the person', write)}</section>
<section aria-labelledby="refresh"><h2 id="refresh">Go on</h2>
<p>A token is good for an hour. Each refresh gives new tokens; keep the newest refresh token before
you use it. How long everything lasts, and how it ends, stands in the guide
<a href="/docs/guides/applications">Applications that act for people</a>.</p>
${snippet('Commands that refresh the tokens', refresh)}</section>
<section aria-labelledby="scopes"><h2 id="scopes">Scopes</h2>
<p>Ask for what you need: a person can leave out any, and <code>scope</code> of the reply says what
is left.</p>
${list}</section>`,
  }
}

/** What each code means to who receives it, and what to do, as Markdown. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request cannot be read: JSON that is none, a parameter that there is not.',
  malformed_ark: 'What stands in the path cannot be an ARK. `did_you_mean` may name the one meant.',
  invalid_request: 'A request to the identity provider lacks something (RFC 6749, section 5.2).',
  unauthorized:
    'No credential, or one that cannot be used. Below `/v1`, `public_path` names where the same ' +
    'is read without one.',
  forbidden: 'The credential does not have the scope, or the record is not of its owner.',
  suspended:
    'The organization, the account or the application is suspended: `suspended` says which, why, ' +
    'since when and whom to ask. It ends by an administrator of the registry alone.',
  loop_detected: 'A registry that fetches content asks for a verification that fetches.',
  not_found: 'There is nothing at this address, or nothing that this credential sees.',
  method_not_allowed: 'The address is right and the method is not: `Allow` lists those that are.',
  not_acceptable: 'The record does not come in any media type of `Accept`.',
  request_timeout: 'The request did not arrive whole in time: send it again.',
  conflict: 'It contradicts what is there already; the message says what.',
  duplicate_work:
    'The work seems to be here: `existing_ark`. `?allow_duplicate=true` registers it.',
  several_works:
    'Several works of yours have the DOI that was to name one: `works` lists their ARKs. Change ' +
    'the one that you mean by its ARK.',
  version_unchanged: 'A new version would be the same as the last.',
  gone: 'The work was withdrawn; the reply is its tombstone.',
  precondition_failed:
    'Somebody changed it since you read it: `details` tells which fields. Read it again, make ' +
    'your change in what you read, and send that.',
  payload_too_large: 'The body has more bytes than this operation takes.',
  uri_too_long: 'The address is too long.',
  unsupported_media_type: 'The body is of another media type than the operation takes.',
  validation_failed: 'Fields are wrong: `details` tells each with `field`, `code` and `message`.',
  rate_limit_exceeded: 'Too many requests: send it again after `Retry-After` seconds.',
  headers_too_large: 'The headers have too many bytes.',
  withheld:
    'The operator of the registry withholds the work for the time being: `withheld` says why, ' +
    'since when and whom to ask.',
  internal_error: 'A fault of the registry. Tell its operator the `request_id`.',
  record_damaged: 'What is stored cannot be read: the operator has to restore it.',
  unavailable: 'Busy or being restarted: send it again after `Retry-After` seconds.',
  clock_wrong:
    'The clock of the registry is wrong, so nothing that carries a time is written. Reading goes ' +
    'on: send a write again later.',
  timeout:
    'It took too long. A write may have been made: send it again with its `Idempotency-Key`.',
}

const example = `{
  "error": "validation_failed",
  "message": "The work cannot be registered like this: work_title is required.",
  "details": [
    { "field": "work_title", "code": "required", "message": "work_title is required." }
  ],
  "request_id": "…"
}`

/** The page of all codes, of the one table that the registry answers by. */
export function errorsPage(): DocsPage {
  const codes = Object.entries(errorStatus) as [ErrorCode, number][]
  const list = table('Codes of errors, by status', codes, {
    Code: ([code]) => html`<code id="${code}">${code}</code>`,
    Status: ([, status]) => status,
    'What it means, and what to do': ([code]) => renderLine(meanings[code]),
  })
  return {
    title: 'Errors',
    path: '/docs/errors',
    description: 'Every error code of the interface with its status and what to do about it.',
    body: html`<p class="lead">Programs decide by <code>error</code>, a word that does not change;
<code>message</code> is for people.</p>
${snippet('An error', example)}
<p>After a 429 or a 503, and after an answer that was lost, the same request may be sent again: with
an <code>Idempotency-Key</code> nothing is done twice. All other errors stay until the request is
another one. OAuth replies have <code>error_description</code> as well, and the codes of RFC 6749,
such as <code>invalid_grant</code>.</p>
${list}`,
  }
}

type LimitLine = { readonly what: string; readonly requests: string }

/** The page of the limits as this registry applies them. */
export function limitsPage(config: LimitConfig): DocsPage {
  const lines = configKeys.flatMap(({ name, description, unit }): LimitLine[] => {
    if (!name.startsWith('LIMIT_')) return []
    const max = config[name as keyof LimitConfig]
    const requests = typeof max === 'number' ? `${max.toLocaleString('en')} ${unit}` : 'no limit'
    return [{ what: description, requests: config.RATE_LIMITS ? requests : 'no limit' }]
  })
  const list = table('Requests in a time', lines, {
    'What is counted': ({ what }) => what,
    Limit: ({ requests }) => requests,
  })
  return {
    title: 'Limits',
    path: '/docs/limits',
    description: 'How many requests this registry takes, and how large they may be.',
    body: html`<p class="lead">Every reply says what is left:
<code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
<code>X-RateLimit-Reset</code>. Beyond a limit it is 429 with <code>Retry-After</code>.</p>
<p>Live registry and sandbox have the same limits. Spellings of a path are counted together.
<a href="/docs/reference/createWorks"><code>POST /v1/works/bulk</code></a> counts works, not
requests,
and news cost none while there are none at
<a href="/docs/reference/listChanges"><code>GET /v1/changes</code></a>.</p>
${list}
<h2 id="sizes">Sizes</h2>
<p>A JSON body has at most a mebibyte, one with many works eight. Fields have their limits in the
tables of the <a href="/docs/reference">reference</a>, and lists a greatest
<a href="/docs/guides/lists"><code>limit</code></a>.</p>`,
  }
}

/** The page of a guide; `authUrl` is the address of the pages of accounts. */
export function guidePage(
  { name, title, body, headings }: Guide,
  { baseUrl, authUrl }: { readonly baseUrl: string; readonly authUrl: string },
): DocsPage {
  const here = `BASE_URL=${baseUrl}\nAUTH_URL=${authUrl}`
  const isAddressed = /\b(?:BASE|AUTH)_URL\b/.test(body.html(english))
  return {
    title,
    path: guidePath(name),
    description: `${title}: a guide.`,
    contents: headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }) => ({ path: `#${id}`, name: text })),
    body: html`${isAddressed ? snippet('The addresses of this registry', here) : ''}${body}`,
  }
}
