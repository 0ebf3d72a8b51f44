import { may } from '#actors/values/authority.ts'
import { HttpError } from '#src/edge/errors.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import { type AccountContext, pageAgent } from '#src/pages/account/context.ts'
import { html } from '#src/pages/kit/html.ts'
import { addKeyPages, type KeyRight } from '#src/pages/kit/key_pages.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'
import { findOwnTestPerson, ownTestPerson } from '#src/use_cases/test_people.ts'

const path = '/account/keys'

/** What a key of a person can be given, in words; the last is not mixed with the first two. */
const rights = [
  {
    scope: 'mint',
    label: 'Add works, affiliations and education',
    hint: 'For a program that registers your works without asking you each time.',
  },
  { scope: 'update', label: 'Change what you have added yourself or by a key' },
  {
    scope: 'people:read',
    label: 'Read your whole account',
    hint: 'Your profile, what others wrote, and the export.',
  },
  {
    scope: 'people:write',
    label: 'Change your profile, claims and lists, and undo what others wrote',
    hint: 'Not together with the first two.',
  },
] as const satisfies readonly KeyRight[]

const presets = [
  { id: 'deposit', name: 'Deposit only', scopes: ['mint'] },
  { id: 'correct', name: 'Deposit and correct', scopes: ['mint', 'update'] },
  { id: 'read', name: 'Read my account', scopes: ['people:read'] },
] as const

/** Adds the pages of a person's keys. */
export function addAccountKeyPages(context: AccountContext): void {
  addKeyPages(context, {
    route: path,
    enter: (visit) => {
      const { ppid } = visit.account
      const by = pageAgent(ppid)
      const noSuchKey = 'You have no such key'
      const mayManage = may(by, 'person', 'manage keys', { ppid })
      if (!mayManage) throw new HttpError('forbidden', 'Only you manage your keys')
      return {
        visit,
        owner: { type: 'person', id: ppid, name: ppid },
        by,
        mayManage,
        path,
        noSuchKey,
        show: (page) => ({ ...page, current: path }),
      }
    },
    rights,
    presets,
    environment: context.environment.name,
    ...(context.environment.name === 'live' && { sandboxPath }),
    notMixed: 'A key that adds or changes works cannot change your profile as well.',
    lead:
      'For programs of your own. Whoever has a key can do what it may, so keep it like a ' +
      'password.',
    emptyText: 'You need one only if a program of yours writes for you.',
    nameHint: 'What the key is for. Only you see it.',
    newTitle: 'Your new key',
    may: ({ scopes }) => scopes.map(labelOf).join('; '),
  })
}

function labelOf(scope: string): string {
  return rights.find((right) => right.scope === scope)?.label ?? scope
}

/** The page of the keys with which a person tries programs out. */
const sandboxPath = '/account/sandbox'

/** What such a key can be given; it never adds and changes a profile at once. */
const sandboxRights = [
  { scope: 'mint', label: 'Add works, affiliations and education' },
  { scope: 'update', label: 'Change what was added so' },
  { scope: 'works:read', label: 'Read works and what changes' },
  { scope: 'receipts:read', label: 'Read receipts and proofs' },
  { scope: 'people:read', label: 'Read the whole account' },
  { scope: 'search:read', label: 'Search' },
] as const satisfies readonly KeyRight[]

const sandboxPresets = [
  { id: 'try', name: 'Try everything', scopes: sandboxRights.map(({ scope }) => scope) },
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
      rights: sandboxRights,
      presets: sandboxPresets,
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
