import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import {
  provNamespace,
  schemaOrgThing,
  termsNamespace,
  type Thing,
} from '#src/discovery/formats/schema_org.ts'

// The namespace that the context of schema.org has.
const prefixes = { schema: 'http://schema.org/', prov: provNamespace, dcterms: termsNamespace }

// What the context of schema.org takes for addresses, and for dates.
const addressProperties: ReadonlySet<string> = new Set(['url', 'sameAs', 'license', 'contentUrl'])
const dateProperties: ReadonlySet<string> = new Set([
  'datePublished',
  'dateModified',
  'sdDatePublished',
])

/**
 * A work as RDF in Turtle: the triples of its JSON-LD. That is a tree of our own, of which this is
 * all that has to be known; libraries for it would fetch the context of schema.org first.
 */
export function formatTurtle(work: DescribedWork): string {
  const heads = Object.entries(prefixes).map(([name, address]) => `@prefix ${name}: <${address}> .`)
  const statements: string[] = []
  describe(schemaOrgThing(work), statements)
  return `${heads.join('\n')}\n\n${statements.join('\n')}\n`
}

/** Writes what is said of a thing that has an address, and of such things within it. */
function describe(thing: Thing, statements: string[]): void {
  const subject = addressOf(thing['@id'])
  const said = predicates(thing, statements)
  if (said.length > 0) statements.push(`${subject}\n  ${said.join(' ;\n  ')} .`)
  const reversed = Object.entries((thing['@reverse'] ?? {}) as Thing)
  for (const [property, value] of reversed) {
    for (const other of Array.isArray(value) ? (value as Thing[]) : [value as Thing]) {
      const pair = `${nameOf(property)} ${subject}`
      const node = nodeOf(other, statements)
      statements.push(
        node.startsWith('[') ? `${node.slice(0, -2)} ; ${pair} ] .` : `${node} ${pair} .`,
      )
    }
  }
}

function predicates(thing: Thing, statements: string[]): readonly string[] {
  const { '@type': type, '@id': _, '@reverse': __, ...properties } = thing
  const said = Object.entries(properties).flatMap(([property, value]) => {
    if (value === undefined) return []
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const objects = values.map((one) => objectOf(property, one, statements))
    return `${nameOf(property)} ${objects.join(', ')}`
  })
  return typeof type === 'string' ? [`a schema:${type}`, ...said] : said
}

function objectOf(property: string, value: unknown, statements: string[]): string {
  if (typeof value === 'object' && value !== null) return nodeOf(value as Thing, statements)
  if (typeof value === 'boolean') return String(value)
  const text = String(value)
  if (addressProperties.has(property)) return addressOf(text)
  const literal = JSON.stringify(text.toWellFormed())
  return dateProperties.has(property) ? `${literal}^^schema:Date` : literal
}

/** A thing as an object: by its address, or in brackets where it has none. */
function nodeOf(thing: Thing, statements: string[]): string {
  if (thing['@id'] === undefined) return `[ ${predicates(thing, statements).join(' ; ')} ]`
  describe(thing, statements)
  return addressOf(thing['@id'])
}

function nameOf(property: string): string {
  const found = Object.entries(prefixes).find(([, address]) => property.startsWith(address))
  return found === undefined
    ? `schema:${property}`
    : `${found[0]}:${property.slice(found[1].length)}`
}

function addressOf(address: unknown): string {
  const text = String(address).toWellFormed()
  // oxlint-disable-next-line no-control-regex -- no address has one, and Turtle must not
  return `<${text.replace(/[\u0000-\u0020<>"{}|^`\\]/g, encodeURIComponent)}>`
}
