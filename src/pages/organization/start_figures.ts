import { type ContentState, contentStates } from '#actors/works/views.ts'
import { barDrawing, shareBar } from '#src/pages/kit/bar_drawing.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { badge, type BadgeKind, table } from '#src/pages/kit/parts.ts'
import { formatNumber, typeName } from '#src/pages/kit/words.ts'

/** Months that the figure of registrations goes back, this one included. */
export const monthsShown = 24

/** Types that are shown one by one; the rest are one line. */
const typesMax = 8

/** What the owner of a work is told of its content, in words and by a look. */
const contentStateWords: Readonly<Record<ContentState, readonly [string, BadgeKind]>> = {
  verified: ['as registered', 'good'],
  pending: ['not read yet', 'waiting'],
  changed: ['changed', 'bad'],
  unreachable: ['could not be reached', 'bad'],
  never_read: ['never read', 'bad'],
}

/** What is known of the content of a work, as a badge. */
export function contentStateBadge(standing: ContentState): Html {
  return badge(...contentStateWords[standing])
}

/** The months `YYYY-MM` of UTC up to the one that a time, in milliseconds, is in, oldest first. */
export function monthsUntil(nowMs: number, count: number): readonly string[] {
  const now = new Date(nowMs)
  return Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return first.toISOString().slice(0, 7)
  })
}

/** Works that were registered in each month, as bars and as a table. */
export function monthFigure(months: readonly string[], counts: readonly number[]): Html {
  const bars = months.map((label, index) => ({ label, count: counts[index] ?? 0 }))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [first = ''] = months
  if (total === 0) return html`<p class="aside">None since ${first}.</p>`
  const rows = bars.toReversed()
  const sum = formatNumber(total)
  return html`<figure><figcaption><strong>${sum}</strong> since ${first}, withdrawn ones
too</figcaption>${barDrawing(bars, 'Works registered')}</figure>
<details class="fold"><summary>All months as a table</summary>
${table<(typeof rows)[number]>(
  'Works registered by month',
  [
    { heading: 'Month', isRowHeading: true, cell: ({ label }) => label },
    { heading: 'Works', cell: ({ count }) => formatNumber(count) },
  ],
  rows,
)}</details>`
}

/** A line of a figure of shares: its name, its number, and where to find what it counts. */
type Share = { readonly name: Html | string; readonly count: number; readonly href?: string }

/** Works by type, most first. */
export function typeFigure(types: Readonly<Record<string, number>>): Html {
  const sorted = Object.entries(types).toSorted(([, a], [, b]) => b - a)
  const named = sorted.slice(0, typesMax).map(([type, count]) => {
    return { name: typeName(type), count }
  })
  const others = sorted.slice(typesMax)
  const rest = others.reduce((sum, [, count]) => sum + count, 0)
  const name = `${others.length} other ${others.length === 1 ? 'type' : 'types'}`
  const shares: Share[] = rest === 0 ? named : [...named, { name, count: rest }]
  return shareTable('Works by type', 'Type', shares)
}

/**
 * Works by what is known of their content, and those that were withdrawn; `path` is that of the
 * page of those that fail.
 */
export function contentFigure(
  content: Readonly<Partial<Record<ContentState, number>>>,
  withdrawn: number,
  path: string,
): Html {
  const shares = contentStates.map((standing): Share => {
    const name = contentStateBadge(standing)
    const [, look] = contentStateWords[standing]
    return { name, count: content[standing] ?? 0, ...(look === 'bad' && { href: path }) }
  })
  const gone: Share = { name: badge('withdrawn'), count: withdrawn }
  return shareTable('Works by what is known of their content', 'Content', [...shares, gone])
}

function shareTable(caption: string, heading: string, shares: readonly Share[]): Html {
  const most = Math.max(...shares.map(({ count }) => count), 1)
  const rows = shares.map(({ name, count, href }) => {
    const shown = href === undefined || count === 0 ? name : html`<a href="${href}">${name}</a>`
    return html`<tr><th scope="row">${shown}</th><td class="share-count">${formatNumber(count)}</td>
<td>${shareBar(count, most)}</td></tr>`
  })
  // The bars repeat the numbers, for eyes alone.
  return html`<table class="shares"><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">${heading}</th><th scope="col">Works</th>
<th scope="col">Share</th></tr></thead><tbody>${rows}</tbody></table>`
}
