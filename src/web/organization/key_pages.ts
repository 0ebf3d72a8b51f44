import { textOf } from '#src/web/kit/form_body.ts'
import { selectField } from '#src/web/kit/form_field.ts'
import { addKeyPages } from '#src/web/kit/key_pages.ts'
import {
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  pathIn,
  visitOrganization,
} from '#src/web/organization/context.ts'

/** What a key of an organization can be given, in plain words. */
const rights = [
  { scope: 'works:write', label: 'Register works, change them and withdraw them' },
  { scope: 'works:read', label: 'Read works and what changes' },
  { scope: 'receipts:read', label: 'Read receipts and proofs' },
  { scope: 'receipts:verify', label: 'Have receipts verified' },
  { scope: 'people:read', label: 'Read what people show to everybody' },
  { scope: 'people:write', label: 'Say which people are authors of its works' },
  { scope: 'search:read', label: 'Search' },
].map((right) => ({ ...right, hint: right.scope }))

const environments = [
  { value: 'live', label: 'Live: what it registers stays for ever' },
  { value: 'sandbox', label: 'Sandbox: for trying things out' },
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
        show: (page) => organizationPage(context, visit, { ...page, section: '/keys' }),
      }
    },
    rights,
    lead:
      'For programs that act for the organization. Whoever has a key can do what it may. Its ' +
      'owners make them.',
    emptyText: 'Programs that register works for it need one.',
    nameHint: 'What the key is for.',
    newTitle: 'The new key',
    environmentField: (state) =>
      selectField({ name: 'environment', label: 'Registry', options: environments }, state),
    readEnvironment: (body) => (textOf(body, 'environment') === 'sandbox' ? 'sandbox' : 'live'),
    may: ({ scopes }) => scopes.join(', '),
    facts: ({ environment }) => [['Registry', environment]],
  })
}
