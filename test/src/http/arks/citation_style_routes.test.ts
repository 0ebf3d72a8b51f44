import { mint } from '#test/src/_served_registry.ts'
import { testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

type Page = {
  readonly styles: readonly { readonly id: string; readonly title: string }[]
  readonly next: string | null
  readonly links: { readonly self: string; readonly next: string | null }
}

test('all styles are listed by their names, page by page, as the links lead', async (t) => {
  const { call, baseUrl } = t.context
  const read = async (order: string) => {
    const all: Page['styles'][number][] = []
    const address = `/api/v1/citation-styles?limit=1000&order=${order}`
    for (let next: string | null = `${baseUrl}${address}`; next !== null; ) {
      const answer = await call(next.slice(baseUrl.length))
      t.is(answer.status, 200)
      const page = answer.json() as Page
      all.push(...page.styles)
      t.is(page.next, page.links.next === null ? null : (page.styles.at(-1)?.id ?? ''))
      next = page.links.next
    }
    return all
  }
  const styles = await read('oldest')
  const ids = styles.map(({ id }) => id)
  t.true(ids.length > 2_000)
  t.deepEqual(ids, [...new Set(ids)].toSorted())
  t.true(styles.every(({ title }) => title !== ''))
  const { title } = styles.find(({ id }) => id === 'nature') ?? { title: '' }
  t.is(title, 'Nature')
  t.deepEqual((await read('newest')).toReversed(), styles)
  const [first] = ((await call('/api/v1/citation-styles?limit=1')).json() as Page).styles
  t.deepEqual(first, styles[0])
  t.is((await call('/api/v1/citation-styles?cursor=no-such-style')).status, 400)
  t.is((await call('/api/v1/citation-styles?style=apa')).status, 400)
})

test('a work is cited in any style and language, and an unknown style is refused', async (t) => {
  const { call, key } = t.context
  const { ark_identifier: ark } = await mint(t.context, await key({ scopes: ['works:write'] }))
  const cite = (query: string) => call(`/${ark}?format=citation&${query}`)
  const nature = await cite('style=nature')
  t.is(nature.status, 200)
  t.regex(String(nature.headers['content-type']), /style=nature; locale=en-GB/)
  const french = await cite('style=nature&locale=fr')
  t.regex(String(french.headers['content-type']), /locale=fr-FR/)
  const unknown = await cite('style=natur-communications')
  t.is(unknown.status, 400)
  const { near, message } = unknown.json()
  t.true((near as string[]).length > 0)
  t.regex(String(message), /^style: there is no style "natur-communications"; near it are /)
  const asked = await call(`/${ark}`, {
    headers: [['Accept', 'text/x-bibliography; style=nothing-such']],
  })
  t.is(asked.status, 400)
  t.is((await call(`/${ark}?format=bibtex&style=natur-communications`)).status, 200)
})
