import { may } from '#actors/values/authority.ts'
import { HttpError } from '#src/errors.ts'
import { type AccountContext, pageAgent } from '#src/pages/account/context.ts'
import { sandboxPath } from '#src/pages/account/sandbox_pages.ts'
import { addKeyPages } from '#src/pages/kit/key_pages.ts'
import type { KeyRight } from '#src/pages/kit/key_parts.ts'

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
