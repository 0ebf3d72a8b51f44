import test from 'ava'
import { placeClaims, type PlacedClaim } from '#actors/people/claims/match.ts'

const names = ['Lovelace, Ada', 'Charles Babbage']
const details = [{ family: 'Lovelace', orcid: '0000-0002-1825-0097' }, { family: 'Babbage' }]

function claimOf(more: Partial<PlacedClaim> & { orcid?: string } = {}): PlacedClaim {
  const { orcid, ...rest } = more
  const claim = {
    ppid: 'p1',
    ...(orcid && { orcid }),
    status: 'verified',
    basis: 'registrant',
    confirmed_by: ['registrant'],
  } as const
  return { claim, ...rest }
}

function placeOf(claim: PlacedClaim, authors = names): number | undefined {
  const given = authors === names ? details : undefined
  const [place] = placeClaims([claim], authors, given).beside.keys()
  return place
}

test('a claim is beside the author whose place it names, before all else', (t) => {
  const orcid = '0000-0002-1825-0097'
  t.is(placeOf(claimOf({ author_position: 2, orcid, name: 'Ada Lovelace' })), 1)
})

test('without a place the ORCID iD tells, then the name in either order', (t) => {
  t.is(placeOf(claimOf({ orcid: '0000-0002-1825-0097', name: 'Charles Babbage' })), 0)
  t.is(placeOf(claimOf({ name: 'ada  LOVELACE' })), 0)
  t.is(placeOf(claimOf({ name: 'Babbage, Charles' })), 1)
})

test('the one author of a work is meant in any case', (t) => {
  t.is(placeOf(claimOf({ name: 'Somebody Else' }), ['Ada Lovelace']), 0)
})

test('who has registered the work themselves is beside nobody of another name', (t) => {
  const isOwnWord = true
  const placed = (claim: Parameters<typeof claimOf>[0]) => placeOf(claimOf({ isOwnWord, ...claim }))
  for (const author_position of [1, 2]) {
    t.is(placed({ author_position, name: 'Somebody Else' }), undefined)
    t.is(placed({ author_position }), undefined, 'a name that is not shown is no name')
  }
  t.is(placed({ author_position: 1, name: 'A. Lovelace' }), 0)
  t.is(placed({ orcid: '0000-0002-1825-0097' }), 0)
  t.is(
    placed({ author_position: 1, orcid: '0000-0001-5109-3700', name: 'Ada Lovelace' }),
    undefined,
  )
  t.is(placeOf(claimOf({ isOwnWord, name: 'Somebody Else' }), ['Ada Lovelace']), undefined)
})

test('a claim that nothing places is beside nobody', (t) => {
  t.is(placeOf(claimOf()), undefined)
  t.is(placeOf(claimOf({ orcid: '0000-0001-5109-3700', name: 'Somebody Else' })), undefined)
})

test('a verified claim without a place is told by its name, if it has one', (t) => {
  const name = 'Somebody Else'
  const told = (claim: PlacedClaim) => placeClaims([claim], names, details).unplaced
  t.deepEqual(told(claimOf({ name })), [{ ...claimOf().claim, name }])
  t.deepEqual(told(claimOf()), [claimOf().claim])
  t.deepEqual(told(claimOf({ author_position: 3 })), [claimOf().claim], 'of a list that was longer')
  t.deepEqual(told(claimOf({ author_position: 1, name })), [], 'it has a place')
  t.deepEqual(told(claimOf({ isOwnWord: true, name })), [], 'on their own word alone')
})

test('several claims can be beside one author', (t) => {
  const claims = [claimOf({ author_position: 1 }), claimOf({ name: 'Ada Lovelace' })]
  t.is(placeClaims(claims, names, details).beside.get(0)?.length, 2)
})
