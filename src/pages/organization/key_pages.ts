import { addKeyPages } from '#src/pages/kit/key_pages.ts'
import {
  askersName,
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'

const rights = [
  { scope: 'works:write', label: 'Register works, change them and withdraw them' },
  { scope: 'works:read', label: 'Read works and what changes' },
  { scope: 'receipts:read', label: 'Read receipts and proofs' },
  { scope: 'receipts:verify', label: 'Have receipts verified' },
  { scope: 'people:read', label: 'Read what people show to everybody' },
  { scope: 'people:write', label: 'Say which people are authors of its works' },
  { scope: 'search:read', label: 'Search' },
].map((right) => ({ ...right, hint: right.scope }))

const presets = [
  { id: 'deposit', name: 'Deposit only', scopes: ['works:write'] },
  { id: 'harvest', name: 'Harvest', scopes: ['works:read', 'receipts:read'] },
  {
    id: 'read',
    name: 'Read and search',
    scopes: ['works:read', 'receipts:read', 'people:read', 'search:read'],
  },
  {
    id: 'try',
    name: 'Try everything',
    scopes: rights.map(({ scope }) => scope),
  },
] as const

/** Adds the pages of an organization's keys, which its owners make, replace and revoke. */
export function addOrganizationKeyPages(context: OrganizationContext): void {
  addKeyPages(context, {
    route: '/organizations/:slug/keys',
    enter: (member, action) => {
      const visit = visitOrganization(context, member, action)
      const { slug, name } = visit.organization
      return {
        visit,
        owner: { type: 'organization', id: slug, name },
        by: memberAgent(visit),
        mayManage: mayDo(visit, 'manage keys'),
        path: pathIn(visit, '/keys'),
        noSuchKey: `${name} has no such key`,
        show: (page) => organizationPage(visit, { ...page, section: '/keys' }),
      }
    },
    rights,
    presets,
    lead:
      'For programs that act for the organization. Whoever has a key can do what it may. Its ' +
      'owners make them.',
    emptyText: 'Programs that register works for it need one.',
    nameHint: 'What the key is for.',
    newTitle: 'The new key',
    environment: 'both',
    may: ({ scopes }) => scopes.join(', '),
    facts: ({ environment, created_by: { type, id, name } }) => [
      ['Registry', environment],
      ['Made by', type === 'person' ? askersName(context, id) : name],
    ],
  })
}
