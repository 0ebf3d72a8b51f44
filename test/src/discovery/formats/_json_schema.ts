import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { Ajv2019, type ErrorObject } from 'ajv/dist/2019.js'

type Json = Readonly<Record<string, unknown>>

// Members that DataCite's API adds to what is deposited: schemas of deposits have none of them.
const ofTheApi: ReadonlySet<string> = new Set(
  'id identifiers contentUrl ris bibtex citeproc schemaOrg'.split(' '),
)

// What the versions after 4.5 have added, of which there is no schema of JSON.
const newMembers: ReadonlySet<string> = new Set(['relationTypeInformation'])
const newTerms: ReadonlySet<unknown> = new Set(
  (
    'Award Project Poster Presentation Translator Coverage CSTR RRID RAiD SWHID ' +
    'HasTranslation IsTranslationOf'
  ).split(' '),
)

/**
 * What a file with DataCite's JSON schema 4.5 says is wrong with records in our DataCite JSON:
 * nothing where they are right. What later versions have added is left out before.
 */
export async function datacite45(file: string): Promise<(record: string) => string | undefined> {
  const { id: _, ...schema } = JSON.parse(await readFile(file, 'utf8'), withChoice) as Json
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true })
  const isRight = ajv.compile(schema)
  return (record) => {
    if (isRight(deposit(JSON.parse(record) as Json))) return undefined
    return (isRight.errors ?? []).map(wordsOf).join('; ')
  }
}

/** An `if` with an `else` alone as a choice, which is the same: Ajv forgets members beside it. */
function withChoice(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('if' in value)) return value
  assert('else' in value && !('then' in value) && !('anyOf' in value))
  const { if: condition, else: other, ...more } = value
  return { ...more, anyOf: [condition, other] }
}

function wordsOf({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}

/** A record of ours as it could be deposited by DataCite 4.5. */
export function deposit(record: Json): Json {
  const { fundingReferences, publicationYear, ...more } = known(record) as Json
  const funding = fundingReferences as readonly Json[] | undefined
  const general = (record['types'] as Json)['resourceTypeGeneral']
  return {
    ...more,
    publicationYear: String(publicationYear),
    types: newTerms.has(general) ? { resourceTypeGeneral: 'Other' } : more['types'],
    ...(funding && { fundingReferences: funding.map(withoutScheme) }),
  }
}

function withoutScheme(funding: Json): Json {
  const { schemeUri: _, ...known45 } = funding
  return known45
}

function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isKnown).map(known)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  return Object.fromEntries(
    members.flatMap(([name, one]) => {
      return ofTheApi.has(name) || newMembers.has(name) ? [] : [[name, known(one)]]
    }),
  )
}

function isKnown(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return true
  const isNewRelation = 'relationType' in entry && entry.relationType === 'Other'
  return !isNewRelation && !Object.values(entry).some((one) => newTerms.has(one))
}
