import test from 'ava'
import { readAsked, sameWords, searchAddress } from '#src/pages/public/search_form.ts'

function read(query: string) {
  return readAsked(new URLSearchParams(query))
}

test('fields that were left empty are not asked for', (t) => {
  const { asked } = read('q=whales&year=&author=+&cursor=abc')
  const given = new Map([['q', 'whales']])
  t.deepEqual(asked, { kind: 'works', given, place: { cursor: 'abc' } })
})

test('an address says what was asked for, and what is to be different', (t) => {
  const { asked } = read('in=people&q=ada&sort=name')
  t.truthy(asked)
  if (asked === undefined) return
  t.is(searchAddress(asked), '/search?in=people&q=ada&sort=name')
  t.is(searchAddress(asked, { sort: null }), '/search?in=people&q=ada')
  t.is(
    searchAddress(asked, { affiliation: 'a & b' }),
    `${searchAddress(asked)}&affiliation=a+%26+b`,
  )
  t.is(sameWords(asked, 'works'), '/search?q=ada')
})

test('what is not searched is no kind', (t) => {
  t.is(read('in=constructor').asked, undefined)
})

test('nothing asked for is the page itself', (t) => {
  const { asked } = read('')
  t.is(asked && searchAddress(asked), '/search')
})

test('a filter that is given again adds a value, where it takes several', (t) => {
  const { asked, repeated } = read('type=article&title=old&type=dataset&title=new&type=')
  t.is(repeated, 'title')
  t.is(read('type=article&type=dataset&title=new&utm_source=a&utm_source=b').repeated, undefined)
  for (const name of ['q', 'sort', 'in', 'cursor', 'page', 'year', 'year_from', 'author']) {
    t.is(read(`q=a&${name}=people&${name}=works`).repeated, name)
  }
  t.deepEqual(
    asked?.given,
    new Map([
      ['type', 'article,dataset'],
      ['title', 'new'],
    ]),
  )
  t.is(asked && searchAddress(asked), '/search?type=article%2Cdataset&title=new')
})
