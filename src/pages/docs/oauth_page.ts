import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { html } from '#src/pages/kit/html.ts'
import { buttonLink, table } from '#src/pages/kit/parts.ts'
import { snippet } from '#src/pages/kit/snippet.ts'
import { type OAuthScope, oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'

/** Where the steps are taken: the registry, the identity provider of the sandbox, the pages. */
export type OAuthSite = {
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
  const columns = [
    {
      heading: 'Scope',
      isRowHeading: true,
      cell: ({ name }: OAuthScope) => html`<code>${name}</code>`,
    },
    { heading: 'Lets it', cell: ({ meaning }: OAuthScope) => meaning },
  ]
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
${table('Scopes of tokens', columns, oauthScopes)}</section>`,
  }
}
