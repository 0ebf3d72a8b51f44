import { contentHashOf } from '#test/scenario/_content_replies.ts'
import { closedHostPort, type ContentServer } from '#test/scenario/_content_server.ts'
import { newWork } from '#test/scenario/_process.ts'
import type { CheckedStatus } from '#actors/works/content.ts'

/** One way in which content can be served, and what a registry must find. */
export type ContentCase = {
  readonly name: string
  /** Works of this case among a hundred. */
  readonly share: number
  /** The path of the n-th work; see `_content_replies.ts`. */
  readonly path: (nth: number) => string
  /** Whether its registrant declares the hash of what is served, or of something else. */
  readonly declares?: 'right' | 'wrong'
  /** How every work of this case ends, and why. */
  readonly status: CheckedStatus
  readonly reason: string | null
}

const settled = { status: 'verified', reason: null } as const
const notStable = { status: 'unreachable', reason: 'no_stable_content' } as const
const badStatus = { status: 'unreachable', reason: 'http_status' } as const

/** Every way in which the content server serves; the shares are a hundred together. */
const contentCases: readonly ContentCase[] = [
  { name: 'good', share: 26, path: (nth) => `good/${nth}`, ...settled },
  { name: 'page', share: 4, path: (nth) => `page/${nth}`, ...settled },
  { name: 'declared', share: 6, path: (nth) => `good/d${nth}`, declares: 'right', ...settled },
  {
    name: 'declared wrongly',
    share: 6,
    path: (nth) => `good/w${nth}`,
    declares: 'wrong',
    status: 'failed',
    reason: 'hash_mismatch',
  },
  { name: 'slow', share: 6, path: (nth) => `slow/150/${nth}`, ...settled },
  { name: 'revised', share: 8, path: (nth) => `revised/${nth}`, ...settled },
  { name: 'redirected', share: 4, path: (nth) => `redirect/${nth}?to=/good/r${nth}`, ...settled },
  { name: 'flaky', share: 4, path: (nth) => `flaky/1/${nth}`, ...settled },
  { name: 'limited', share: 5, path: (nth) => `limited/${nth}`, ...settled },
  { name: 'unstable', share: 4, path: (nth) => `unstable/${nth}`, ...notStable },
  { name: '404', share: 5, path: (nth) => `status/404/${nth}`, ...badStatus },
  { name: '410', share: 3, path: (nth) => `status/410/${nth}`, ...badStatus },
  { name: '503', share: 4, path: (nth) => `status/503/${nth}`, ...badStatus },
  { name: '429', share: 1, path: (nth) => `busy/1/${nth}`, ...badStatus },
  { name: 'stalled', share: 1, path: (nth) => `stalled/${nth}`, ...unreachable('timed_out') },
  { name: 'endless', share: 2, path: (nth) => `endless/${nth}`, ...unreachable('too_large') },
  { name: 'loop', share: 2, path: (nth) => `loop/${nth}`, ...unreachable('too_many_redirects') },
  {
    name: 'truncated',
    share: 3,
    path: (nth) => `truncated/${nth}`,
    ...unreachable('bad_response'),
  },
  { name: 'private', share: 3, path: toPrivate, ...unreachable('refused_url') },
  { name: 'closed', share: 3, path: (nth) => `${nth}`, ...unreachable('connection_failed') },
]

function unreachable(reason: string) {
  return { status: 'unreachable', reason } as const
}

// Port 1 of an address that is not allowed: were it asked, it would refuse the connection, which
// is another reason.
function toPrivate(nth: number): string {
  return `redirect/p${nth}?to=http://127.0.0.1:1/${nth}`
}

// Each case has hosts of its own, for a host that says 429 makes all its works wait.
const hostsPerCase = 2

/** Hosts that the works need. */
export const contentHosts = contentCases.length * hostsPerCase

/** A work that links to the content server, and what is expected of it. */
export type ContentWork = {
  readonly kind: ContentCase
  readonly body: Readonly<Record<string, string>>
}

/** So many works that link to a content server, all cases mixed. */
export function contentWorks({ hostPorts }: ContentServer, count: number): ContentWork[] {
  const mixed = mixCases()
  return Array.from({ length: count }, (_, nth) => {
    const kind = mixed[nth % mixed.length] as ContentCase
    const host = contentCases.indexOf(kind) * hostsPerCase + (nth % hostsPerCase)
    const hostPort = kind.name === 'closed' ? closedHostPort : hostPorts[host]
    const url = `http://${hostPort}/${kind.path(nth)}`
    const served = kind.declares === 'wrong' ? '/other' : new URL(url).pathname
    const declared = kind.declares && { content_hash: contentHashOf(served) }
    return { kind, body: { ...newWork(`${kind.name} ${nth}`), work_url: url, ...declared } }
  })
}

/** A hundred cases by their shares; those of a case lie as far from each other as they can. */
function mixCases(): ContentCase[] {
  const placed = contentCases.flatMap((kind) =>
    Array.from({ length: kind.share }, (_, nth) => ({ kind, at: (nth + 0.5) / kind.share })),
  )
  return placed.toSorted((left, right) => left.at - right.at).map(({ kind }) => kind)
}
