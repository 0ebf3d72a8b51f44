import test from 'ava'

import type { Proposal } from '#actors/journal/journal.ts'
import { receivedProposal, sentProposal } from '#actors/journal/shared_sequencer.ts'

const proposal: Proposal = {
  stream: 'work/12345/p1',
  expectedSeq: 0,
  at: '2026-01-01T00:00:00.000Z',
  events: [],
  unique: ['recent/a'],
  entries: [Buffer.from('entry')],
}

test('a proposal arrives at another node as it was sent', (t) => {
  for (const sent of [proposal, { ...proposal, replaces: 'holder' }]) {
    const text = JSON.stringify(sentProposal(sent))
    t.deepEqual(receivedProposal(JSON.parse(text) as ReturnType<typeof sentProposal>), sent)
  }
})

test('the members of a sent proposal have the names that nodes of older versions read', (t) => {
  t.deepEqual(sentProposal({ ...proposal, replaces: 'holder' }), {
    stream: 'work/12345/p1',
    expectedSeq: 0,
    at: '2026-01-01T00:00:00.000Z',
    events: [],
    unique: ['recent/a'],
    outlived: 'holder',
    entries: ['ZW50cnk='],
  })
})
