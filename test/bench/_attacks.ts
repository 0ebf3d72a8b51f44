import type { AttackRequest } from '#test/bench/_attack.ts'
import { createWork } from '#test/bench/_works.ts'

/** What attackers know: a key, works, and the largest work that can be registered. */
export type Target = {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly arks: readonly string[]
  readonly largest: string
}

/** Asks for a path from the n-th address. */
export function get(
  target: string,
  from: number,
  more: Partial<AttackRequest> = {},
): AttackRequest {
  return { method: 'GET', path: target, from, ...more }
}

/** Twenty addresses: so many that no limit per address stops the attack by itself. */
const addresses = 20

function fromAll(requests: (from: number) => readonly AttackRequest[]): AttackRequest[] {
  return Array.from({ length: addresses }, (_, from) => requests(from)).flat()
}

const harvestPath = '/api/v1/oai?verb=ListRecords&metadataPrefix='

/** Every listing, whose replies are left in the socket. */
export function slowReads({ headers, arks, largest }: Target): AttackRequest[] {
  return fromAll((from) =>
    [
      get('/v1/changes?limit=1000', from, { headers }),
      get(`${harvestPath}oai_dc`, from),
      get(`${harvestPath}oai_datacite`, from),
      get(`${harvestPath}svc`, from),
      get('/api/v1/oai?verb=ListIdentifiers&metadataPrefix=oai_dc', from),
      get('/v1/search/works?q=the&limit=200', from, { headers }),
      get('/feeds/works.atom', from),
      get('/sitemap.xml', from),
      get('/sitemaps/0.xml', from),
      get('/log/tile/entries/000', from),
      get(`/api/v1/resolve/${largest}`, from),
      get(`/api/v1/resolve/${arks[0]}/history`, from),
      get(`/v1/works/${arks[0]}/versions`, from, { headers }),
    ].map((request) => ({ ...request, isRead: false })),
  )
}

/** A harvest of the longest records from every address. */
export function harvests(): AttackRequest[] {
  return fromAll((from) => [get(`${harvestPath}oai_datacite`, from)])
}

/** The searches that take longest. */
export function worstSearches({ headers }: Target): AttackRequest[] {
  return worstQueries.map((query, n) =>
    get(`/v1/search/works?${query}`, n % addresses, { headers }),
  )
}

/** Every format of the largest work. */
export function worstFormats({ largest }: Target): AttackRequest[] {
  return fromAll((from) => [
    ...workFormats.map((format) => get(`/api/v1/works/${largest}/citation?format=${format}`, from)),
    get(`/api/v1/resolve/${largest}`, from),
    get(`/${largest}`, from, { headers: { accept: 'text/html' } }),
  ])
}

const workFormats = [
  'datacite-xml',
  'datacite-json',
  'bibtex',
  'ris',
  'csl',
  'dc',
  'jsonld',
  'citation&style=apa',
  'citation&style=chicago',
]

const worstQueries = [
  `q=${'a '.repeat(500)}`,
  `q=${'a '.repeat(500)}&title=${'a '.repeat(500)}&author=${'a '.repeat(500)}`,
  `q=${encodeURIComponent('"of the"')} the of and in for with from&facets=type,language,year`,
  'q=s&facets=type,language,year&sort=title&limit=200',
  'q=the -measure -river -data&limit=200',
  `q=${Array.from({ length: 32 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(' ')}`,
].map((query) => query.replaceAll(' ', '+'))

/** As many long works as a bulk registration takes; others for each `nth`. */
export function bulkRequest(nth: number, headers: Readonly<Record<string, string>>): AttackRequest {
  const description = 'measured and found '.repeat(370)
  const works = Array.from({ length: 1_000 }, (_, n) => ({
    ...createWork(n),
    description,
    work_title: `Bulk ${nth} ${n}`,
    existing_doi: `10.5555/bulk.${nth}.${n}`,
  }))
  return {
    method: 'POST',
    path: '/v1/works/bulk?allow_duplicate=true',
    from: 0,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ works }),
  }
}
