import type { Metadata } from '#actors/works/metadata.ts'
import type { FeedPage, WorkChange } from '#src/cli/oai_adapter/change_source.ts'

/** Seconds since 1970 of the first change of these tests. */
export const bornSecond = 1_790_000_000

const source = { type: 'organization', id: 'demo', name: 'Demonstration', via: 'api_key' }

/** Metadata of a work. */
export function metadataOf(title: string): Metadata {
  const work_url = 'https://example.org/work'
  return { work_title: title, work_type: 'article', authors: 'Ada Lovelace', work_url }
}

function isoOf(second: number): string {
  return new Date(second * 1_000 + 5).toISOString()
}

/** The registration of a work, `naan/name`, as change `seq`; `more` is what differs. */
export function registered(seq: number, ark: string, more: Partial<WorkChange> = {}): WorkChange {
  const at = more.at ?? isoOf(bornSecond + seq)
  return {
    seq,
    at,
    source,
    type: 'work.registered',
    ark: `ark:/${ark}`,
    version: 1,
    status: 'registered',
    sets: ['demo'],
    created_at: at,
    receipt_id: `rcpt_2026_11_21_${seq}`,
    metadata_hash: `sha256:${seq.toString(16).padStart(64, '0')}`,
    content_hash: null,
    metadata: metadataOf(`Work ${seq}`),
    ...more,
  }
}

/** The withdrawal of a work as change `seq`. */
export function withdrawn(seq: number, ark: string, more: Partial<WorkChange> = {}): WorkChange {
  return registered(seq, ark, {
    type: 'work.withdrawn',
    status: 'withdrawn',
    metadata: null,
    ...more,
  })
}

/** The creation of an organization as change `seq`. */
export function organized(seq: number, slug: string, name: string): FeedPage['changes'][number] {
  const at = isoOf(bornSecond + seq)
  return { seq, at, source, type: 'organization.created', organization: { slug, name } }
}

/** A page with these changes, which is the last unless there is more. */
export function pageOf(changes: FeedPage['changes'], end?: number): FeedPage {
  const next = changes.at(-1)?.seq ?? 0
  return { changes, next, end: end ?? next }
}
