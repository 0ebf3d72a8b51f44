import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { buttonLink } from '#src/pages/kit/parts.ts'
import { snippet } from '#src/pages/kit/snippet.ts'

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
export type QuickStartSite = { readonly baseUrl: string; readonly accounts: string }

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

/** The first lines of the quick start: where the registry is, and the key. */
function keyLines(baseUrl: string, key: string): string {
  return `BASE_URL=${baseUrl}\nKEY=${key}`
}

/** The steps after the key. */
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
