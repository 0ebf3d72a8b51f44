import fs from 'node:fs/promises'

import { UnusableError } from '#src/cli/program.ts'

/** The organization that registers the works of a client, a member or a prefix. */
export type Registrant = { readonly slug: string; readonly name: string }

type Json = Readonly<Record<string, unknown>>

/** Bytes of a file of names, at most: those of all clients of DataCite have a tenth of it. */
const bytesMax = 64 * 1_048_576

/**
 * Reads whose works are whose: an object such as `{"10.5555": {"slug": "press", "name": "Press"}}`
 * by client, provider, member or prefix, where a text is a slug; or answers of the APIs that were
 * saved, of which a file may hold several, one a line: `/clients` and `/providers` of DataCite,
 * `/members` of Crossref. UnusableError if it is neither.
 */
export async function readRegistrantNames(file: string): Promise<ReadonlyMap<string, Registrant>> {
  const { size } = await fs.stat(file)
  if (size > bytesMax) throw unusable(file, `has more than ${bytesMax / 1_048_576} MiB`)
  const names = new Map<string, Registrant>()
  for (const value of parseAll(file, await fs.readFile(file, 'utf8'))) {
    for (const [key, registrant] of namesIn(value)) names.set(key.toLowerCase(), registrant)
  }
  if (names.size === 0) throw unusable(file, 'names nobody')
  return names
}

/** The organization of the first name that is known. */
export function registrantOf(
  names: ReadonlyMap<string, Registrant>,
  candidates: readonly string[],
): Registrant | undefined {
  const known = candidates.find((name) => names.has(name.toLowerCase()))
  return known === undefined ? undefined : names.get(known.toLowerCase())
}

function unusable(file: string, what: string): UnusableError {
  return new UnusableError(
    `${file} ${what}. Write {"<client, member or prefix>": {"slug": "…", "name": "…"}}, or save ` +
      'an answer of /clients, /providers or /members.',
  )
}

function parseAll(file: string, text: string): readonly unknown[] {
  try {
    return [JSON.parse(text) as unknown]
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      return lines.map((line) => JSON.parse(line) as unknown)
    } catch {
      throw unusable(file, 'is no JSON')
    }
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function* namesIn(value: unknown): Generator<readonly [string, Registrant]> {
  const { data, message } = objectOf(value)
  const { items } = objectOf(message)
  if (Array.isArray(data)) for (const each of data) yield* clientIn(objectOf(each))
  else if (Array.isArray(items)) for (const each of items) yield* memberIn(objectOf(each))
  else yield* plainNames(objectOf(value))
}

function* plainNames(names: Json): Generator<readonly [string, Registrant]> {
  for (const [key, value] of Object.entries(names)) {
    const { slug = value, name = slug } = objectOf(value)
    if (typeof slug === 'string' && typeof name === 'string') yield [key, { slug, name }]
  }
}

function* clientIn({ id, attributes }: Json): Generator<readonly [string, Registrant]> {
  const { name } = objectOf(attributes)
  if (typeof id !== 'string' || typeof name !== 'string') return
  yield [id, { slug: slugOf(id), name }]
}

function* memberIn(member: Json): Generator<readonly [string, Registrant]> {
  const { id, 'primary-name': name, prefixes } = member
  if (typeof name !== 'string') return
  const registrant = { slug: slugOf(name), name }
  if (typeof id === 'number' || typeof id === 'string') yield [String(id), registrant]
  for (const prefix of Array.isArray(prefixes) ? (prefixes as readonly unknown[]) : []) {
    if (typeof prefix === 'string') yield [prefix, registrant]
  }
}

function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '')
  return slug.slice(0, 60).replace(/-+$/, '')
}

/** What a record of a dump says of whose it is, the narrowest first. */
export function candidatesIn(record: unknown): readonly string[] {
  const { relationships, attributes, member, prefix } = objectOf(record)
  const { client, provider } = objectOf(relationships)
  const { prefix: own, doi } = objectOf(attributes)
  const idOf = (value: unknown) => objectOf(objectOf(value)['data'])['id']
  const { DOI } = objectOf(record)
  const ofDoi = [doi, DOI].map((each) => (typeof each === 'string' ? each.split('/')[0] : ''))
  // Old files have an address where the number of a member should be.
  const number = typeof member === 'string' ? /\d+$/.exec(member)?.[0] : member
  return [idOf(client), idOf(provider), own, prefix, number, ...ofDoi].flatMap((each) =>
    typeof each === 'string' && each !== '' ? each : typeof each === 'number' ? String(each) : [],
  )
}
