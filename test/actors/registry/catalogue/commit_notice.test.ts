import test from 'ava'
import { type CommitNotice, noticeOf } from '#actors/registry/catalogue/feeds.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'

const cases: readonly (readonly [Partial<JournalEvent>, Omit<CommitNotice, 'events'>])[] = [
  [
    { stream: 'work/12345/k2a', type: 'WorkRegistered' },
    { arks: ['12345/k2a'], ppids: [], isNews: true },
  ],
  [
    { stream: 'work/12345/k2a', type: 'FixityRequested' },
    { arks: ['12345/k2a'], ppids: [], isNews: false },
  ],
  [
    { stream: 'person/p1', type: 'ProfileUpdated', data: {} },
    { arks: [], ppids: ['p1'], isNews: false },
  ],
  [
    { stream: 'person/p1', type: 'ClaimMade', data: { ark: '12345/k2a' } },
    { arks: ['12345/k2a'], ppids: ['p1'], isNews: false },
  ],
  [
    { stream: 'organization/demo', type: 'OrganizationCreated' },
    { arks: [], ppids: [], isNews: true },
  ],
  [
    { stream: 'organization/demo', type: 'MemberAdded' },
    { arks: [], ppids: [], isNews: false },
  ],
]

for (const [event, told] of cases) {
  test(`what a commit of ${event.type} is about`, (t) => {
    t.deepEqual(noticeOf([event as JournalEvent], 7), { events: 7, ...told })
  })
}

test('the notice of a commit is about all of its events', (t) => {
  const notice = noticeOf(
    cases.map(([event]) => event as JournalEvent),
    9,
  )
  t.deepEqual(notice, {
    events: 9,
    arks: ['12345/k2a', '12345/k2a', '12345/k2a'],
    ppids: ['p1', 'p1'],
    isNews: true,
  })
  t.deepEqual(structuredClone(notice), notice)
})
