import test from 'ava'

import {
  answeredUrl,
  HostBackoff,
  judge,
  runCheck,
  waitAfter,
} from '#actors/works/fixity/checker.ts'
import type { ContentFetcher, ContentOutcome } from '#actors/works/fixity/client.ts'
import type { CheckTarget, FetchedContent } from '#actors/works/content.ts'
import { fetched, hashOf, unavailable } from '#test/actors/_content.ts'

const url = 'https://example.org/work'
const doi = 'https://doi.org/10.5555/12345678'
const unknown: CheckTarget = { url, hash: null, isStable: false }
const declared: CheckTarget = { url, hash: hashOf('a'), isStable: false }
const stable: CheckTarget = { url, hash: hashOf('a'), isStable: true }

const [a, b, c] = [fetched('a'), fetched('b'), fetched('c')]
const page = fetched('a', { mediaType: 'text/html' })
const gone = unavailable(404)
const postponed: ContentOutcome = { type: 'postponed', url, retryAfterMs: 5 }
const aborted: ContentOutcome = { type: 'aborted' }
const { signal } = new AbortController()

const changes = 'the address served different content to two requests'
const leadsToPage = 'the DOI leads to a web page; give the address of the content as work_url'

for (const [title, target, outcomes, expected] of [
  ['a first hash takes two fetches', unknown, [a, a], { type: 'same', content: a }],
  [
    'content that differs between two fetches has no first hash',
    unknown,
    [a, b],
    { type: 'unstable', message: changes, content: b },
  ],
  ['a declared hash is confirmed by two fetches', declared, [a, a], { type: 'same', content: a }],
  ['a declared hash is refuted by two fetches', declared, [b, b], { type: 'changed', content: b }],
  ['it is refuted by two that differ, too', declared, [b, c], { type: 'changed', content: c }],
  [
    'a declared hash that is found once of two times is not stable',
    declared,
    [b, a],
    { type: 'unstable', message: changes, content: a },
  ],
  ['and in the other order', declared, [a, b], { type: 'unstable', message: changes, content: b }],
  ['what was stable is confirmed by one fetch', stable, [a], { type: 'same', content: a }],
  ['or by the last of three', stable, [b, c, a], { type: 'same', content: a }],
  ['or by the second of them', stable, [b, a], { type: 'same', content: a }],
  [
    'what was stable has changed if two more fetches differ',
    stable,
    [b, b, c],
    { type: 'changed', content: c },
  ],
  ['no content is no finding about a hash', unknown, [gone], gone],
  ['not even after a first fetch', stable, [b, gone], gone],
  ['what was postponed is no finding', unknown, [postponed], postponed],
  ['nor what was postponed half-way', stable, [b, postponed], postponed],
  ['what was called off is no finding', declared, [aborted], aborted],
  [
    'a page behind a DOI is not the work',
    { ...unknown, url: doi },
    [page],
    { type: 'unstable', message: leadsToPage, content: page },
  ],
  [
    'not even with the hash that was declared',
    { ...declared, url: doi },
    [page],
    { type: 'unstable', message: leadsToPage, content: page },
  ],
  ['a page that the work names is', unknown, [page, page], { type: 'same', content: page }],
  ['a file behind a DOI is', { ...unknown, url: doi }, [a, a], { type: 'same', content: a }],
  [
    'a page in place of a file that was stable is another content',
    { ...stable, url: doi },
    [b, b, { ...page, sha256: c.sha256 }],
    { type: 'changed', content: { ...page, sha256: c.sha256 } },
  ],
] as const satisfies readonly (readonly [
  string,
  CheckTarget,
  readonly ContentOutcome[],
  unknown,
])[]) {
  test(`judge: ${title}`, async (t) => {
    const left: ContentOutcome[] = [...outcomes]
    let asked = 0
    const fetch: ContentFetcher = async (address, { fresh }) => {
      t.is(address, target.url)
      // A connection that is there may only confirm what was found before.
      t.is(fresh, !target.isStable || asked > 0)
      asked += 1
      return left.shift() ?? aborted
    }
    t.deepEqual(await runCheck(target, fetch, { signal }), expected)
    t.deepEqual(left, [], 'every fetch was needed')
  })
}

for (const [title, target, left, expected] of [
  ['a first hash', unknown, [a], { type: 'same', content: a }],
  ['a declared hash', declared, [b], { type: 'changed', content: b }],
  ['what was stable', stable, [b], { type: 'changed', content: b }],
] as const satisfies readonly (readonly [
  string,
  CheckTarget,
  readonly ContentOutcome[],
  unknown,
])[]) {
  test(`a check of ${title} that was postponed half-way goes on where it was`, async (t) => {
    const kept: FetchedContent[] = []
    const onFirst = (first: FetchedContent) => kept.push(first)
    const [content] = left
    const before: ContentOutcome[] = [...(target.isStable ? [content] : []), content, postponed]
    const interrupted: ContentFetcher = async () => before.shift() ?? aborted
    t.is(await runCheck(target, interrupted, { signal, onFirst }), postponed)
    t.deepEqual(kept, [content])
    const after: ContentOutcome[] = [...left]
    const fetch: ContentFetcher = async (_, { fresh }) => {
      t.true(fresh)
      return after.shift() ?? aborted
    }
    const call = { signal, first: content, onFirst }
    t.deepEqual(await runCheck(target, fetch, call), expected)
    t.deepEqual(kept, [content], 'what was kept is not kept anew')
  })
}

test('a host has answered where content was found in the end, or another status', (t) => {
  const content = fetched('a', { finalUrl: 'https://cdn.example/a' })
  t.is(answeredUrl({ type: 'changed', content }), 'https://cdn.example/a')
  t.is(answeredUrl(gone), url)
  t.is(answeredUrl({ ...gone, reason: 'timed_out', httpStatus: undefined }), undefined)
})

test('a second fetch is only asked for where it can tell something', (t) => {
  t.deepEqual(judge(unknown, a, undefined), { type: 'fetch_again', first: a })
  t.deepEqual(judge(declared, a, undefined), { type: 'fetch_again', first: a })
  t.deepEqual(judge(declared, b, undefined), { type: 'fetch_again', first: b })
  t.deepEqual(judge(stable, b, undefined), { type: 'fetch_again', first: b })
})

test('a host that asks for a moment is waited for, and for a minute not', (t) => {
  for (const [status, retryAfterMs, waitMs] of [
    [429, 1_000, 1_000],
    [503, 59_000, 59_000],
    [429, 0, 1_000],
    [503, 60_000, undefined],
    [429, undefined, undefined],
    [404, 1_000, undefined],
  ] as const) {
    t.is(waitAfter(unavailable(status, retryAfterMs)), waitMs, `${status} ${retryAfterMs}`)
  }
  t.is(waitAfter({ type: 'same', content: a }), undefined)
})

/** What a check learns that begins now. */
function askForRest(backoff: HostBackoff, host: string): boolean {
  return backoff.waitsFor(host, backoff.moment)
}

test('a host is waited for twice in a row, and no more until it answers', (t) => {
  const backoff = new HostBackoff()
  const asks = () => askForRest(backoff, 'a')
  t.deepEqual([asks(), asks(), asks(), asks()], [true, true, false, false])
  t.true(askForRest(backoff, 'b'), 'other hosts have their own')
  backoff.noteAnswer('a')
  t.deepEqual([asks(), asks(), asks()], [true, true, false])
})

test('checks that ran side by side are told of one rest', (t) => {
  const backoff = new HostBackoff()
  for (const isWaitedFor of [true, true, false]) {
    const begun = backoff.moment
    const told = [1, 2, 3].map(() => backoff.waitsFor('a', begun))
    t.deepEqual(told, [isWaitedFor, isWaitedFor, isWaitedFor])
  }
})

test('a rest that another host asked for meanwhile is another one', (t) => {
  const backoff = new HostBackoff()
  for (const isWaitedFor of [true, true, false]) {
    const begun = backoff.moment
    t.is(backoff.waitsFor('a', begun), isWaitedFor)
    t.is(backoff.waitsFor('b', begun), isWaitedFor)
  }
})

test('ten thousand hosts are remembered, those that asked last', (t) => {
  const backoff = new HostBackoff()
  for (const host of ['early', 'late']) for (const _ of [1, 2]) askForRest(backoff, host)
  for (let nth = 0; nth < 9_998; nth += 1) askForRest(backoff, `host ${nth}`)
  t.false(askForRest(backoff, 'late'))
  askForRest(backoff, 'one more')
  t.true(askForRest(backoff, 'early'), 'it was forgotten')
  t.false(askForRest(backoff, 'late'))
})
