import test from 'ava'

import { shownPages } from '#test/browser/_pages.ts'
import { openRegistry } from '#test/src/_registry.ts'

/** What browsers load below the prefix that is no page: it is for programs, or leads on. */
const noPages = new RegExp(
  String.raw`^/(?:assets/|language$|account/export$|\.well-known/|` +
    'oauth/(?:jwks|userinfo|authorize/)|' +
    'admin/audit/export/|organizations/:slug/(?:works/export/|history/csv$))',
)

/**
 * Looked at in second_step.test.ts and passkey.test.ts, because who sees them signs in by two steps
 * from then on, in claims.test.ts, because they are about claims that are answered there, and in
 * lost_account.test.ts, because nobody else is without an account.
 */
const lookedAtElsewhere = [
  '/account/second-step/recovery-codes',
  '/account/passkeys/new',
  '/account/passkeys/:id',
  '/sign-in/code',
  '/account/works/asked/:claim_id',
  '/account/works/asked/:claim_id/refuse',
  '/admin/claims/:claim_id',
  '/admin/claims/:claim_id/refuse',
  '/admin/people/:ppid/account',
]

test('every page that is registered is among those that are looked at', async (t) => {
  const registry = await openRegistry()
  t.teardown(registry.close)
  const routes = pageRoutes(registry.server.printRoutes({ commonPrefix: false }), '/auth')
  t.true(routes.length > 40)
  const shown = new Set([...shownPages.map(({ route }) => route), ...lookedAtElsewhere])
  // The pages of the sandbox are those of the registry, with another frame.
  const named = new Set(routes.map((route) => route.replace(/^\/sandbox(?=\/|$)/, '')))
  const forgotten = [...named].filter((route) => !shown.has(route) && !noPages.test(route))
  t.deepEqual(forgotten, [])
})

/** What can be loaded below a prefix, from the tree of routes that a server prints. */
function pageRoutes(tree: string, prefix: string): string[] {
  const parents: string[] = []
  const routes: string[] = []
  for (const line of tree.split('\n')) {
    // Each level of the tree is four characters wide; other methods than the first are refused.
    const [, indent = '', part = '', method] = /^(.*)[├└]── (\S+) \((\w+)/.exec(line) ?? []
    const depth = indent.length / 4
    parents.length = depth
    parents.push(part)
    if (method === 'GET') routes.push(parents.join(''))
  }
  return routes
    .filter((route) => route === prefix || route.startsWith(`${prefix}/`))
    .map((route) => route.slice(prefix.length))
}
