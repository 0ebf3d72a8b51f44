import { html } from 'ghtml'

import type { FixityCheck, FixityRecord } from '#actors/fixity.ts'
import { sizeName } from '#src/web/landing/detail_list.ts'
import { elapsedSince } from '#src/web/landing/elapsed.ts'
import type { ShownContent, ShownWork } from '#src/web/landing/landing_record.ts'
import type { Html } from '#src/web/page.ts'
import { badge, type BadgeKind, card, facts, time } from '#src/web/parts.ts'

/** Checks that are shown at once, the newest ones. */
const openChecksMax = 5

const states: Readonly<Record<ShownContent['fixity_status'], readonly [string, BadgeKind]>> = {
  verified: ['Unchanged', 'good'],
  pending: ['Not checked yet', 'waiting'],
  failed: ['Changed', 'bad'],
  unreachable: ['Not confirmed', 'waiting'],
}

/** Whether the content of a version still is what was registered: now, and at every check. */
export function fixityTimeline(
  { content, metadata, is_latest: isLatest, latest_version: latest, ark }: ShownWork,
  fixity: FixityRecord | undefined,
  nowMs: number,
): Html {
  const [state, kind] = states[content.fixity_status]
  const elsewhere = isLatest
    ? ''
    : html`<p class="hint">This is what was known when version ${latest} was not there yet; the
checks go on <a href="/${ark}">with the newest version</a>.</p>`
  return card(
    'Is the content still the same?',
    html`<p class="fixity">!${badge(state, kind)} ${summary(content, fixity, nowMs)}</p>
!${elsewhere}
!${facts([...hashRows(content, metadata.content_hash), ...timeRows(content, fixity)])}
!${checkList(fixity?.fixity_checks ?? [])}`,
  )
}

/** What the state means, in one or two sentences. */
function summary(
  { fixity_status: status, message, checked_at: at, hash_source: source }: ShownContent,
  fixity: FixityRecord | undefined,
  nowMs: number,
): string {
  if (status === 'pending' || at === null) {
    const declared =
      source === 'declared' ? ' Until then its hash is the word of who registered it.' : ''
    return `This registry has not read the content yet; it is in the queue.${declared}`
  }
  const ago = elapsedSince(at, nowMs)
  const checks = inARow(fixity?.streak ?? 0)
  const why = message === null ? '' : `: ${message}`
  switch (status) {
    case 'verified':
      return `Last seen unchanged ${ago}${checks}.`
    case 'failed':
      return `The content is not what was registered. Last found so ${ago}${checks}.`
    case 'unreachable':
      return (
        `The content could not be confirmed${why}. Last tried ${ago}${checks}. ` +
        'That does not say that it has changed.'
      )
  }
}

function inARow(streak: number): string {
  if (streak === 0) return ''
  return streak === 1 ? ', in 1 check' : `, in ${streak} checks in a row`
}

type Rows = readonly (readonly [string, Html])[]

function hashRows({ hash, hash_source: source }: ShownContent, declared: string | undefined): Rows {
  const fetched = source === 'fetched' ? hash : null
  return [
    ...(declared === undefined ? [] : [['Declared hash', hashText(declared)] as const]),
    ...(fetched === null
      ? [['Hash', html`${declared === undefined ? 'none yet' : 'not read here yet'}`] as const]
      : [
          [
            'Hash as read here',
            html`!${hashText(fetched)}!${agreement(fetched, declared)}`,
          ] as const,
        ]),
  ]
}

function agreement(fetched: string, declared: string | undefined): Html {
  if (declared === undefined) return ''
  const words = fetched === declared ? 'the same as declared' : 'another one than declared'
  return html` <span class="hint">${words}</span>`
}

/** A hash, which a click selects as a whole. */
function hashText(hash: string): Html {
  return html`<code class="hash">${hash}</code>`
}

function timeRows(content: ShownContent, fixity: FixityRecord | undefined): Rows {
  const next = fixity?.next_check_at ?? null
  return [
    ...(content.checked_at === null ? [] : [['Last check', time(content.checked_at)] as const]),
    ...(next === null ? [] : [['Next check from', time(next)] as const]),
  ]
}

function checkList(oldestFirst: readonly FixityCheck[]): Html {
  if (oldestFirst.length === 0) return ''
  const items = oldestFirst.toReversed().map(checkItem)
  const folded = items.slice(openChecksMax)
  const rest =
    folded.length === 0
      ? ''
      : html`<details class="fold"><summary>${folded.length} earlier
${folded.length === 1 ? 'check' : 'checks'}</summary>
<ol class="timeline">!${folded}</ol></details>`
  return html`<h3>Checks</h3>
<ol class="timeline">!${items.slice(0, openChecksMax)}</ol>!${rest}`
}

const outcomes: Readonly<Record<FixityCheck['status'], string>> = {
  verified: 'Unchanged',
  failed: 'Changed',
  unreachable: 'Not confirmed',
}

function checkItem({ timestamp, status, message, bytes, sha256 }: FixityCheck): Html {
  const hash = sha256 === null ? '' : html` <code>sha256:${sha256.slice(0, 12)}…</code>`
  const read = bytes === null ? '' : html`<span class="hint">${sizeName(bytes)}!${hash}</span>`
  return html`<li class="check check-${status}"><strong>${outcomes[status]}</strong>
!${time(timestamp)} !${message === null ? '' : html`<span>${message}.</span>`} !${read}</li>`
}
