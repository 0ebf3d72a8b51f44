/** The set of everything, above those of the organizations: a list of sets is never empty. */
export const allSpec = 'org'

const organizationPrefix = `${allSpec}:`

/** The set of the records that an organization registered: `org:` and its slug. */
export function formatSetSpec(slug: string): string {
  return organizationPrefix + slug
}

/** What a setSpec selects: all records, or those of an organization; undefined without such set. */
export function parseSetSpec(
  spec: string,
): { readonly type: 'all' } | { readonly type: 'organization'; readonly slug: string } | undefined {
  if (spec === allSpec) return { type: 'all' }
  const slug = spec.slice(organizationPrefix.length)
  const isOne = spec.startsWith(organizationPrefix) && !slug.includes(':')
  return isOne ? { type: 'organization', slug } : undefined
}
