import type { Realm } from '#src/use_cases/registry_edge.ts'
import { findOwnTestPerson, ownTestPerson } from '#src/use_cases/test_people.ts'
import { type AccountContext, pageAgent } from '#src/pages/account/context.ts'
import { html } from '#src/pages/kit/html.ts'
import { addKeyPages } from '#src/pages/kit/key_pages.ts'
import type { KeyRight } from '#src/pages/kit/key_parts.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'

/** The page of the keys with which a person tries programs out. */
export const sandboxPath = '/account/sandbox'

/** What such a key can be given; it never adds and changes a profile at once. */
const rights = [
  { scope: 'mint', label: 'Add works, affiliations and education' },
  { scope: 'update', label: 'Change what was added so' },
  { scope: 'works:read', label: 'Read works and what changes' },
  { scope: 'receipts:read', label: 'Read receipts and proofs' },
  { scope: 'people:read', label: 'Read the whole account' },
  { scope: 'search:read', label: 'Search' },
] as const satisfies readonly KeyRight[]

const presets = [
  { id: 'try', name: 'Try everything', scopes: rights.map(({ scope }) => scope) },
  { id: 'deposit', name: 'Deposit only', scopes: ['mint'] },
  { id: 'read', name: 'Read and search', scopes: ['works:read', 'receipts:read', 'search:read'] },
]

/** Adds the pages of a person's keys in the sandbox, where a test person stands for them. */
export function addSandboxPages(context: AccountContext, sandbox: Realm): void {
  const { pages, baseUrl } = context
  addKeyPages(
    { ...context, keys: sandbox.keys },
    {
      route: sandboxPath,
      prepare: async ({ account }) => {
        await ownTestPerson(sandbox, pageAgent(account.ppid))
      },
      enter: (visit) => {
        const by = pageAgent(visit.account.ppid)
        return {
          visit,
          // Nobody has the key of who is not there yet.
          owner: findOwnTestPerson(sandbox, by.id) ?? personOwner('nobody'),
          by,
          mayManage: true,
          path: sandboxPath,
          noSuchKey: 'You have no such key in the sandbox',
          show: (page) => ({ ...page, current: '/account/keys' }),
        }
      },
      rights,
      presets,
      presetAtFirst: 'try',
      environment: 'sandbox',
      livePath: '/account/keys',
      lead: html`To try programs out: a test person stands for you, and nothing of what such a key
writes is in the registry itself. The <a href="${baseUrl}/docs/quick-start">quick start</a> runs
with it. Keys that act for an organization are made on the page Keys of
<a href="${pages.prefix}/organizations">the organization</a>.`,
      emptyText: 'One click makes one that may do everything that can be tried.',
      nameHint: 'What the key is for. Only you see it.',
      newTitle: 'Your key of the sandbox',
      may: ({ scopes }) => scopes.join(', '),
    },
  )
}
