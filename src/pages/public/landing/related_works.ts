import type { UpdateNotice } from '#actors/works/update_notices.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import { badge, card, foldedList } from '#src/pages/kit/parts.ts'
import { relationName, typeName } from '#src/pages/kit/words.ts'
import type { LandingRecord, RelatedReply, WorkReply } from '#src/use_cases/landing_record.ts'

/** The page that has all of them. */
export const relatedPath = '/related'

// Works that are shown at once; the others are a click away.
const openWorksMax = 10

/** The works of this registry that a work relates to, and those that say they relate to it. */
export function relatedWorks({ work, related, hasMoreRelated }: LandingRecord): Html {
  if (related.length === 0) return nothing
  const query = new URLSearchParams({ ark: work.ark }).toString()
  const all = hasMoreRelated
    ? html`<p><a href="${relatedPath}?${query}">All related works</a></p>`
    : nothing
  return card('Related works', html`${relatedItems(related)}${all}`)
}

/** What a work relates to, as a list of which the first are open. */
export function relatedItems(related: readonly RelatedReply[]): Html {
  const items = related.map(relatedWork)
  return foldedList({ items, openMax: openWorksMax, kind: 'items' })
}

/**
 * The relations of a record to what is not among its related works here, which have a list of their
 * own.
 */
export function relatedElsewhere(
  { related_identifiers: all = [] }: WorkReply['metadata'],
  related: LandingRecord['related'],
): WorkReply['metadata']['related_identifiers'] {
  const keyOf = (relation: string, name: string) => `${relation} ${name}`
  const own = related.filter(({ direction }) => direction === 'out')
  const here = new Set(own.map(({ relation, identifier = '' }) => keyOf(relation, identifier)))
  return all.filter(({ relation, identifier }) => !here.has(keyOf(relation, identifier)))
}

function relatedWork(related: RelatedReply): Html {
  const { ark_identifier: ark, title, type, status } = related
  if (ark === undefined) return relatedThing(related)
  const kind = type === null ? '' : html` <span class="hint">${typeName(type)}</span>`
  const mark = status === 'withdrawn' ? html` ${badge('Withdrawn', 'bad')}` : ''
  return html`<li>${saying(related)} <a href="/${ark}"><bdi>${title ?? ark}</bdi></a>
${kind}${mark}</li>`
}

/** Something that is no work of this registry. */
function relatedThing(related: RelatedReply): Html {
  const { identifier, scheme, title } = related
  const name = [scheme === 'URL' ? undefined : scheme, identifier].filter(Boolean).join(' ')
  const shown = title === null ? '' : html`<bdi>${title}</bdi> `
  return html`<li>${saying(related)} ${shown}<bdi>${name}</bdi></li>`
}

/** What this work is to the other one, as the beginning of a sentence about that. */
function saying({ direction, relation, inverse, notice }: RelatedReply): string {
  if (notice !== undefined) return noticeSaying(notice)
  if (direction === 'out') return spelled(relation)
  if (inverse !== null) return spelled(inverse)
  return relation === 'IsPublishedIn' ? 'Has published' : 'Is related to'
}

function noticeSaying({ kind, direction }: Pick<UpdateNotice, 'kind' | 'direction'>): string {
  const words = kind.replaceAll('_', ' ')
  return direction === 'of_this' ? `Has a notice (${words}):` : `Is a notice (${words}) of`
}

function spelled(relation: string): string {
  return relation === 'Other' ? 'Is related to' : relationName(relation)
}
