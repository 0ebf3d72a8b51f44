import test from 'ava'

import { errorCodes } from '#test/src/discovery/oai/_reply.ts'
import { earliest, openRepository } from '#test/src/discovery/oai/_repository.ts'
import { memorySource } from '#test/src/discovery/oai/_memory_source.ts'
import { child, texts } from '#test/src/_xml.ts'

test('the sets are that of all works, then one for each organization', async (t) => {
  const sets = await openRepository().payload('verb=ListSets')
  t.deepEqual(
    sets.children.map((set) => set.children.map(({ name, text }) => [name, text])),
    [
      [
        ['setSpec', 'org'],
        ['setName', 'All works, by organization'],
      ],
      [
        ['setSpec', 'org:press'],
        ['setName', 'A Press & Sons'],
      ],
      [
        ['setSpec', 'org:uni'],
        ['setName', 'Universität'],
      ],
    ],
  )
})

test('without organizations there is a set all the same', async (t) => {
  const repository = openRepository({ source: memorySource(earliest, []) })
  const sets = await repository.payload('verb=ListSets')
  t.deepEqual(
    sets.children.map((set) => child(set, 'setSpec').text),
    ['org'],
  )
})

test('many sets come in pages of one size', async (t) => {
  const organizations = Array.from({ length: 24 }, (_, index) => {
    return { slug: `org-${String(index).padStart(2, '0')}`, name: `Organization ${index}` }
  })
  const repository = openRepository({ source: memorySource(earliest, organizations) })
  const specs: string[][] = []
  const cursors: (string | undefined)[] = []
  let query: string | undefined = 'verb=ListSets'
  while (query !== undefined) {
    const page = await repository.payload(query)
    const sets = page.children.filter(({ name }) => name === 'set')
    specs.push(sets.map((set) => child(set, 'setSpec').text))
    cursors.push(child(page, 'resumptionToken').attributes['cursor'])
    const [token] = texts(page, 'resumptionToken')
    query = token ? `verb=ListSets&resumptionToken=${token}` : undefined
  }
  t.deepEqual(specs.flat(), ['org', ...organizations.map(({ slug }) => `org:${slug}`)])
  t.deepEqual(
    specs.map(({ length }) => length),
    [10, 10, 5],
  )
  t.deepEqual(cursors, ['0', '10', '20'])
})

test('a token that was not issued for sets is none', async (t) => {
  const reply = await openRepository().ask('verb=ListSets&resumptionToken=junk')
  t.deepEqual(errorCodes(reply), ['badResumptionToken'])
})
