import type { UpdateNotice } from '#actors/works/update_notices.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import { badge, card, foldedList } from '#src/pages/kit/parts.ts'
import { relationName, typeName } from '#src/pages/kit/words.ts'
import type { LandingRecord, RelatedReply } from '#src/use_cases/landing_record.ts'

// Works that are shown at once; the others are a click away.
const openWorksMax = 10

/** The works of this registry that a work relates to, and those that say they relate to it. */
export function relatedWorks({ work, related, hasMoreRelated }: LandingRecord): Html {
  if (related.length === 0) return nothing
  const more = (count: number) => `and ${count} more`
  const items = related.map(relatedWork)
  const all = hasMoreRelated
    ? html`<p><a href="/api/v1/works/${work.ark}/related">All of them as JSON</a></p>`
    : nothing
  const list = foldedList({ items, openMax: openWorksMax, kind: 'items', more })
  return card('Related works', html`${list}${all}`)
}

function relatedWork(related: RelatedReply): Html {
  const { ark_identifier: ark, title, type, status } = related
  const kind = type === null ? '' : html` <span class="hint">${typeName(type)}</span>`
  const mark = status === 'withdrawn' ? html` ${badge('Withdrawn', 'bad')}` : ''
  return html`<li>${saying(related)} <a href="/${ark}"><bdi>${title ?? ark}</bdi></a>
${kind}${mark}</li>`
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
