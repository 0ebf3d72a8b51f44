import test from 'ava'

import { asPerson, openPeopleRegistry, type PeopleRegistry } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

type Operation = { readonly security?: readonly object[]; readonly operationId?: string }
type Document = {
  readonly security?: readonly object[]
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
}

/** Registers a work of every kind, and gives what the parameters of addresses stand for. */
async function fill(registry: PeopleRegistry): Promise<Readonly<Record<string, string>>> {
  const scopes = ['works:read', 'works:write', 'people:write']
  const press = await registry.keyOf({ type: 'organization', id: 'press', name: 'A Press' }, scopes)
  const mint = async (headers: Record<string, string>, title: string) => {
    const work = { ...goodWork, work_title: title }
    const reply = await registry.call('POST', '/v1/works', headers, work)
    return reply.json().ark_identifier as string
  }
  const ark = await mint(press, 'A work with versions')
  await registry.call('PUT', `/v1/works/${ark}`, press, { work_title: 'A changed work' })
  const withdrawn = await mint(press, 'A withdrawn work')
  const reason = { reason: 'retraction' }
  await registry.call('POST', `/v1/works/${withdrawn}/withdraw`, press, reason)
  const ada = await registry.person('Ada Ox')
  const own = await registry.keyOf(asPerson(ada), ['mint', 'update'])
  await mint(own, 'A work of a person')
  const [, name = ''] = /^ark:\/\d+\/(.+)$/.exec(ark) ?? []
  return { ark, withdrawn, ppid: ada.ppid, slug: 'press', version: '1', naan: '12345', name }
}

/** What everybody may read, as the description of the interface has it. */
function publicAddresses({ paths, security = [] }: Document, samples: Record<string, string>) {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return []
    const demanded = get.security ?? security
    if (demanded.length > 0 && !demanded.some((one) => Object.keys(one).length === 0)) return []
    const url = path.replaceAll(/\{(\w+)\}/g, (all, name: string) => samples[name] ?? all)
    return url.includes('{') ? [] : [url]
  })
}

/** The addresses of the registry that a reply names: in its links header, and anywhere in data. */
function linksIn({ headers, body }: { headers: Readonly<Record<string, unknown>>; body: string }) {
  const { link: header } = headers
  const ofHeader = [...(typeof header === 'string' ? header : '').matchAll(/<([^>]*)>/g)].map(
    ([, link = '']) => link,
  )
  const type = String(headers['content-type'])
  const inJson = /json/.test(type) ? textsIn(JSON.parse(body)) : []
  const inXml = /xml/.test(type)
    ? [...body.matchAll(/(?:href="|<loc>)([^"<]*)/g)].map(([, link = '']) => link)
    : []
  return [...ofHeader, ...inJson, ...inXml]
    .filter((link) => link.startsWith(`${baseUrl}/`))
    .map((link) => link.slice(baseUrl.length).replaceAll('&amp;', '&'))
}

/** Whatever a log serves is below its address, which itself is a page for browsers alone. */
const bases = new Set(['/log', '/sandbox/log'])

const described = 'the description'

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

test('whoever reads without credentials can follow every link', async (t) => {
  t.timeout(300_000)
  const registry = await openPeopleRegistry()
  t.teardown(registry.close)
  const samples = await fill(registry)
  const document = (await registry.call('GET', '/openapi.json')).json() as Document
  const asked = [samples, { ...samples, ark: samples['withdrawn'] ?? '' }]
  const begun = asked.flatMap((one) => publicAddresses(document, one))
  const failed: string[] = []
  const from = new Map(begun.map((url) => [url, described]))
  for (const url of from.keys()) {
    const reply = await registry.call('GET', url)
    // What is only described may not be there: a log without witnesses has no cosignatures.
    const isLinked = from.get(url) !== described && !bases.has(url)
    // A work that was withdrawn answers, too.
    const isAnswered = reply.status === 410 || reply.status < 400
    if (isLinked && !isAnswered) {
      failed.push(`${reply.status} ${url}, linked by ${from.get(url)}`)
    }
    if (!isAnswered) continue
    for (const link of linksIn(reply)) if (!from.has(link)) from.set(link, url)
  }
  t.deepEqual(failed, [])
  t.log(`${begun.length} addresses, ${from.size} with those that they link to`)
  t.true(begun.length > 50 && from.size > begun.length)
})
