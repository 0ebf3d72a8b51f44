import type { Catalogue } from '#actors/registry/catalogue/port.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { Choice } from '#src/discovery/formats/format_table.ts'

/** A relation that another work of the registry states, as the list of related works tells it. */
type Incoming = {
  readonly ark_identifier?: string
  readonly direction: 'out' | 'in'
  readonly inverse: RelatedIdentifier['relation'] | null
  readonly stated_in: string
  readonly notice?: { readonly kind: string; readonly direction: 'of_this' | 'by_this' }
}

/** Relations that a description tells of those that others state: the newest. */
const toldMax = 100

/** Descriptions that have a place for what others say; the page is given them with its lists. */
const telling: ReadonlySet<Choice['name']> = new Set([
  'jsonld',
  'turtle',
  'datacite-xml',
  'datacite-json',
  'linkset',
  'links',
])

/**
 * What works of the registry say of a work, `naan/name`, for a description that tells of it: as the
 * work itself would say it.
 */
export async function readIncoming(
  catalogue: Catalogue,
  ark: string,
  name: Choice['name'] | undefined,
): Promise<readonly RelatedIdentifier[]> {
  if (name === undefined || !telling.has(name)) return []
  const page = await catalogue.related(ark, { limit: toldMax, side: 'in' })
  return page.type === 'not_found' ? [] : incomingRelations(page.body)
}

/** The same, from a rendered list of related works. */
export function incomingRelations(list: Uint8Array): readonly RelatedIdentifier[] {
  const { related } = JSON.parse(Buffer.from(list).toString('utf8')) as {
    readonly related: readonly Incoming[]
  }
  return related.flatMap((one): RelatedIdentifier[] => {
    const { ark_identifier: identifier, direction, inverse, notice, stated_in } = one
    // Volumes of one work share its DOI, and are not the same.
    if (identifier === undefined || direction === 'out' || stated_in === 'existing_doi') return []
    const named = { scheme: 'ARK', identifier } as const
    if (inverse !== null && inverse !== 'Other') return [{ ...named, relation: inverse }]
    if (notice === undefined) return []
    const words = notice.kind.replaceAll('_', ' ')
    const note = notice.direction === 'of_this' ? `has ${words}` : `is ${words} of`
    return [{ ...named, relation: 'Other', note }]
  })
}
