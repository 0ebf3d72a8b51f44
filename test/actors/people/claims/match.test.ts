import test from 'ava'

import { type Claimant, likelyPosition, matchClaim } from '#actors/people/claims/match.ts'
import { orcid, otherOrcid, twoAuthors } from '#test/actors/people/claims/_claim.ts'
import { metadataOf } from '#test/actors/_environment.ts'

const metadata = metadataOf('On the Engine', twoAuthors)
const charles: Claimant = { name: 'Charles Babbage' }

function codes(place: number | undefined, claimant: Claimant, work = metadata): string[] {
  return matchClaim(place, claimant, work).mismatches.map(({ code }) => code)
}

test('a reviewer sees the work, its authors, and who stands at the place that is claimed', (t) => {
  t.deepEqual(matchClaim(2, { ...charles, orcid }, metadata), {
    work_title: 'On the Engine',
    authors: ['Lovelace, Ada', 'Babbage, Charles'],
    authors_count: 2,
    author_position: 2,
    orcid_position: 2,
    author: { name: 'Babbage, Charles', orcid },
    claimant: { name: 'Charles Babbage', orcid },
    mismatches: [],
  })
})

test('what speaks against a claim is named', (t) => {
  t.deepEqual(codes(2, charles), [])
  t.deepEqual(codes(1, charles), ['name_differs'])
  t.deepEqual(codes(1, {}), ['name_hidden'])
  t.deepEqual(codes(3, charles), ['no_such_author'])
  t.deepEqual(codes(undefined, charles), ['no_place'])
  t.deepEqual(codes(2, { ...charles, orcid: otherOrcid }), ['orcid_differs'])
  t.deepEqual(codes(1, { name: 'Ada Lovelace', orcid }), ['orcid_differs'])
})

test('the one author of a work is the one who is meant', (t) => {
  const alone = metadataOf('Alone', { authors: 'Ada Lovelace' })
  t.is(matchClaim(undefined, charles, alone).author_position, 1)
  t.deepEqual(codes(undefined, charles, alone), ['name_differs'])
})

test('of very many authors the first are shown, and the one who is claimed', (t) => {
  const names = Array.from({ length: 3_000 }, (_, index) => `Ada Lovelace${index}`)
  const match = matchClaim(2_900, {}, metadataOf('Many', { authors: names.join('; ') }))
  t.is(match.authors.length, 50)
  t.is(match.authors_count, 3_000)
  t.deepEqual(match.author, { name: 'Ada Lovelace2899' })
})

test('their ORCID iD tells where somebody probably stands, else a name', (t) => {
  const ofNames = (authors: string) => ({ authors })
  t.is(likelyPosition({ name: 'Ada Lovelace', orcid }, metadata), 2)
  t.is(likelyPosition({ name: 'Ada Lovelace', orcid: otherOrcid }, metadata), 1)
  t.is(likelyPosition({ name: 'A. Lovelace' }, metadata), 1)
  t.is(likelyPosition({ name: 'Somebody Else' }, metadata), undefined)
  t.is(likelyPosition({}, metadata), undefined)
  t.is(likelyPosition({ name: 'Ada Lovelace' }, ofNames('A. Lovelace; Ada Lovelace')), 2)
  const two = ofNames('A. Lovelace; Ada K. Lovelace')
  t.is(likelyPosition({ name: 'Ada Lovelace' }, two), undefined)
})
