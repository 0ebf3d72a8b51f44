// Harvesters that come again and again while others write: their harvests together are the
// registry.

import test from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import { registrySource } from '#src/discovery/oai/record_source.ts'
import { OaiRepository } from '#src/discovery/oai/repository.ts'
import { arkOf, demo, openRegistry, other, register } from '#test/actors/_environment.ts'
import { errorCodes } from '#test/src/discovery/oai/_reply.ts'
import { child, children, readXml, texts } from '#test/src/_xml.ts'
import { optionsAt } from '#test/src/discovery/oai/_repository.ts'

const baseUrl = 'https://registry.example/api/v1/oai'
const writers = 8
const stepsOfEach = 15

function openRepository(registry: Environment): OaiRepository {
  return new OaiRepository({
    ...optionsAt(baseUrl),
    source: registrySource(registry),
    nowMs: Date.now,
  })
}

/** What a harvester knows: of each ARK the title, or that it was deleted. */
class Harvester {
  readonly known = new Map<string, string>()
  readonly #repository: OaiRepository
  readonly #selection: string
  readonly #goesOnFrom: 'first' | 'last'
  #from: string | undefined

  /** It goes on from the time that the first, or the last, reply of the harvest before told. */
  constructor(repository: OaiRepository, selection: string, goesOnFrom: 'first' | 'last') {
    this.#repository = repository
    this.#selection = selection
    this.#goesOnFrom = goesOnFrom
  }

  /** Harvests what has changed since the harvest before. */
  async harvest(): Promise<void> {
    const from = this.#from === undefined ? '' : `&from=${this.#from}`
    let query = `verb=ListRecords&metadataPrefix=oai_dc${this.#selection}${from}`
    for (let isFirst = true; query !== ''; isFirst = false) {
      const xml = await this.#repository.answer(new URLSearchParams(query))
      const reply = readXml(Buffer.from(xml).toString('utf8'))
      const { text: responseDate } = child(reply, 'responseDate')
      if (isFirst || this.#goesOnFrom === 'last') this.#from = responseDate
      if (errorCodes(reply).includes('noRecordsMatch')) return
      const list = child(reply, 'ListRecords')
      for (const record of children(list, 'record')) this.#keep(record)
      const [token] = texts(list, 'resumptionToken')
      query = token ? `verb=ListRecords&resumptionToken=${token}` : ''
    }
  }

  #keep(record: ReturnType<typeof readXml>): void {
    const header = child(record, 'header')
    const isDeleted = header.attributes['status'] === 'deleted'
    const title = isDeleted ? 'deleted' : child(record, 'metadata', 'oai_dc:dc', 'dc:title').text
    this.known.set(child(header, 'identifier').text, title)
  }
}

/** Registers, changes and withdraws works; gives what becomes of each. */
async function write(registry: Environment, writer: number): Promise<[string, string][]> {
  const by = writer % 2 === 0 ? demo : other
  const works: [string, string][] = []
  for (let step = 0; step < stepsOfEach; step += 1) {
    const title = `Work ${step} of ${writer}`
    const { ark_identifier: shown } = await register(registry, title, { by })
    works.push([shown, title])
    const older = works[Math.floor(step / 2)]
    if (older === undefined || older[1] === 'deleted') continue
    const ark = arkOf({ ark_identifier: older[0] })
    if (step % 3 === 0) {
      older[1] = `${older[1]}, changed at ${step}`
      await registry.works.update({ ark, patch: { work_title: older[1] }, by })
    } else if (step % 7 === 1) {
      await registry.works.withdraw({ ark, reason: 'test', by })
      older[1] = 'deleted'
    }
  }
  return works
}

test('while 8 writers change works, harvesters that come again lose none', async (t) => {
  const registry = await openRegistry(t)
  const repository = openRepository(registry)
  const everything = new Harvester(repository, '', 'first')
  const byLast = new Harvester(repository, '', 'last')
  const ofOne = new Harvester(repository, '&set=org:demo', 'last')
  let isWriting = true
  const harvests = [everything, byLast, ofOne].map(async (harvester) => {
    let count = 0
    for (; isWriting; count += 1) {
      await harvester.harvest()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await harvester.harvest()
    return count
  })
  const written = await Promise.all(
    Array.from({ length: writers }, (_, writer) => write(registry, writer)),
  )
  isWriting = false
  for (const count of await Promise.all(harvests)) t.true(count > 1, String(count))
  const table = new Map(written.flat())
  t.is(table.size, writers * stepsOfEach)
  t.true([...table.values()].includes('deleted'))
  for (const { known } of [everything, byLast]) t.deepEqual(sorted(known), sorted(table))
  const even = written.filter((_, writer) => writer % 2 === 0).flat()
  t.deepEqual(sorted(ofOne.known), sorted(new Map(even)))
})

function sorted(works: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...works].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
