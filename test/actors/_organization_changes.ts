import type { OwnerLists } from '#actors/registry/catalogue/owner_lists.ts'
import type { OrganizationChange } from '#actors/people/organizations/events.ts'

/** What happened to an organization and its members, newest first. */
export async function readChanges(
  { holdings }: { readonly holdings: Pick<OwnerLists, 'history'> },
  slug: string,
  page: { readonly before?: number; readonly limit: number },
): Promise<readonly OrganizationChange[]> {
  const owner = { type: 'organization', id: slug } as const
  const { entries } = await holdings.history(owner, { kinds: ['organization'], ...page })
  return entries.flatMap((entry) => (entry.kind === 'organization' ? [entry.change] : []))
}
