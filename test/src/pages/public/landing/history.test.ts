import test from 'ava'
import { changedNotice, elapsedSince, fixityTimeline } from '#src/pages/public/landing/history.ts'
import {
  checkOf,
  fixityWith,
  hash,
  nowMs,
  pending,
  textOf,
  workWith,
} from '#test/src/pages/public/landing/_records.ts'
import { trustedHtml } from '#src/pages/kit/html.ts'
import { english } from '#src/words/language.ts'
import { textIn } from '#src/words/wording.ts'

const verified = {
  ...pending,
  hash,
  hash_source: 'fetched',
  fixity_status: 'verified',
  checked_at: '2026-03-01T10:00:00.000Z',
} as const

test('content that was found unchanged says when, and in how many checks', (t) => {
  const fixity = fixityWith(37, [checkOf()])
  const text = textOf(fixityTimeline(workWith({ content: verified }), fixity, nowMs))
  t.true(text.includes('Content unchanged Last seen unchanged 2 hours ago, in 37 checks in a row.'))
  t.true(text.includes(`Registered hash ${hash} as first read here`))
  t.true(text.includes('Next check from 8 Mar 2026, 10:00 UTC'))
  t.true(text.includes('Unchanged 1 Mar 2026, 10:00 UTC 2.05 kB sha256:abababababab…'))
})

test('content that waits for its first check says whose word its hash is', (t) => {
  const metadata = { ...workWith().metadata, content_hash: hash }
  const content = { ...pending, hash, hash_source: 'declared' } as const
  const text = textOf(fixityTimeline(workWith({ metadata, content }), undefined, nowMs))
  t.true(text.includes('Content not checked yet We have not read the content yet'))
  t.true(text.includes('Until then, its hash is only what the publisher declared.'))
  t.true(text.includes(`Declared hash ${hash} Hash not read yet`))
  t.false(text.includes('Checks'))
})

test('a declared hash is told apart from one that was read', (t) => {
  const shown = (content_hash: string) => {
    const metadata = { ...workWith().metadata, content_hash }
    return textOf(fixityTimeline(workWith({ metadata, content: verified }), undefined, nowMs))
  }
  t.true(shown(hash).includes('the same as declared'))
  t.true(shown(`sha256:${'00'.repeat(32)}`).includes('not the declared hash'))
})

test('changed and unconfirmed content say why, and what that means', (t) => {
  const failed = checkOf({ status: 'failed', message: 'the content does not have its hash' })
  const changed = textOf(
    fixityTimeline(
      workWith({ content: { ...verified, fixity_status: 'failed' } }),
      fixityWith(1, [failed]),
      nowMs,
    ),
  )
  t.true(changed.includes('Content changed The content is not what was registered. Last checked 2'))
  t.true(changed.includes('Changed 1 Mar 2026, 10:00 UTC the content does not have its hash.'))
  t.true(changed.includes(`Registered hash ${hash} as first read here`))
  t.regex(
    changed,
    /Hash found since sha256:\w{64} read on 1 Mar 2026, 10:00 UTC ?, not the registered hash/,
  )
  const message = 'the server answered 404'
  const content = { ...verified, fixity_status: 'unreachable', message } as const
  const lost = textOf(fixityTimeline(workWith({ content }), fixityWith(3, []), nowMs))
  t.true(
    lost.includes(
      'could not confirm the content: the server answered 404. Last tried 2 hours ago.',
    ),
  )
  t.true(lost.includes('This does not mean that it has changed.'))
})

test('content that has changed is said before all else, and nothing else is', (t) => {
  const work = workWith({ content: { ...verified, fixity_status: 'failed' } })
  const failed = checkOf({ status: 'failed', message: 'it has another hash' })
  const said = textOf(changedNotice(work, fixityWith(1, [failed])))
  t.true(said.startsWith('The content has changed. What we read on 1 Mar 2026, 10:00'))
  t.is(textOf(changedNotice(workWith({ content: verified }), undefined)).trim(), '')
})

test('the newest checks come first, and the older ones are folded', (t) => {
  const checks = Array.from({ length: 7 }, (_, day) =>
    checkOf({ timestamp: `2026-02-0${day + 1}T00:00:00.000Z` }),
  )
  const timeline = fixityTimeline(workWith({ content: verified }), fixityWith(7, checks), nowMs)
  const html = timeline.html(english)
  const times = [...html.matchAll(/datetime="(2026-02[^"]*)"/g)].map(([, time]) => time)
  t.is(times[0], '2026-02-07T00:00:00.000Z')
  t.is(times.length, 7)
  const folded = trustedHtml(html.slice(html.indexOf('<details')))
  t.true(textOf(folded).startsWith('2 earlier checks Unchanged'))
})

test('an older version leads to where the checks go on', (t) => {
  const older = workWith({ is_latest: false, latest_version: 2 })
  const text = textOf(fixityTimeline(older, undefined, nowMs))
  t.true(text.includes('It is in the queue'))
  t.true(text.includes('Checks continue with the latest version'))
})

const agoIn = (at: string, thenMs: number) => textIn(english, elapsedSince(at, thenMs))

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test('how long ago a time was is told in whole units of the largest that it fills', (t) => {
  const spans: readonly (readonly [number, string])[] = [
    [minuteMs, '1 minute'],
    [59 * minuteMs, '59 minutes'],
    [60 * minuteMs, '1 hour'],
    [47 * 60 * minuteMs, '1 day'],
    [30 * dayMs, '30 days'],
    [31 * dayMs, '1 month'],
    [400 * dayMs, '1 year'],
    [3_000 * dayMs, '8 years'],
  ]
  const at = '2026-01-01T00:00:00.000Z'
  for (const [span, words] of spans) t.is(agoIn(at, Date.parse(at) + span), `${words} ago`)
})

test('a time just gone, or a little ahead, is less than a minute ago', (t) => {
  const at = '2026-01-01T00:00:00.000Z'
  t.is(agoIn(at, Date.parse(at) + 59_999), 'less than a minute ago')
  t.is(agoIn(at, Date.parse(at) - 5_000), 'less than a minute ago')
  t.is(agoIn(at, Date.parse(at) + 2 * 60 * minuteMs), '2 hours ago')
})
