import {
  harvest,
  othersWorks,
  plainAdapter,
  recordQuery,
  requiredSettings,
  runAdapter,
  tunedAdapter,
  tuning,
} from '#test/interface/_adapter.ts'
import { holds, matches, same } from '#test/interface/_expect.ts'
import { differs, filled, row, type Section } from '#test/interface/_row.ts'
import { sampleWork } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { child, children, type ReadElement } from '#test/src/_xml.ts'

const list = 'verb=ListRecords&metadataPrefix=oai_dc'

/** An adapter does not start without a variable, and says which. */
function isRequired(name: string) {
  return row(`${name} is required`, async (world) => {
    const { code, stdout, stderr } = await unconfigured(world)
    holds(code !== 0, 'it does not start', code)
    matches(stdout + stderr, new RegExp(`\\b${name}\\b`), 'what it says')
  })
}

/** How a start ends that is told nothing: its words name all that it wants. */
function unconfigured(world: World) {
  return world.once('unconfigured adapter', () => runAdapter(world, { SVC_URL: '' }))
}

async function identity(world: World): Promise<ReadElement> {
  return child(await harvest(world, await plainAdapter(world), 'verb=Identify'), 'Identify')
}

async function tuned(world: World, query: string): Promise<ReadElement> {
  return harvest(world, await tunedAdapter(world), query)
}

/** The variables of the adapter. */
export const adapterSettings: Section = {
  name: 'Variables of the adapter',
  rows: [
    isRequired('SVC_API_KEY'),
    row('SVC_API_KEY is the key that the adapter reads the registry with', async (world) => {
      const { ark } = await sampleWork(world)
      child(await harvest(world, await plainAdapter(world), recordQuery(ark)), 'GetRecord')
    }),
    isRequired('REPOSITORY_NAME'),
    row('REPOSITORY_NAME names the repository', async (world) => {
      const { REPOSITORY_NAME } = await requiredSettings(world)
      same(child(await identity(world), 'repositoryName').text, REPOSITORY_NAME, 'repositoryName')
    }),
    isRequired('ADMIN_EMAIL'),
    row('ADMIN_EMAIL is the address of its administrator', async (world) => {
      const { ADMIN_EMAIL } = await requiredSettings(world)
      same(child(await identity(world), 'adminEmail').text, ADMIN_EMAIL, 'adminEmail')
    }),
    isRequired('BASE_URL'),
    row('BASE_URL is the public address of the adapter', async (world) => {
      const { BASE_URL } = await requiredSettings(world)
      same(child(await identity(world), 'baseURL').text, `${BASE_URL}/oai`, 'baseURL')
    }),
    differs(
      'the-adapter',
      'SVC_URL, the address of the registry, is required as well',
      async (world) => {
        const { code, stdout, stderr } = await unconfigured(world)
        holds(code !== 0, 'it does not start', code)
        matches(stdout + stderr, /\bSVC_URL\b/, 'what it says')
      },
    ),
    row('ORGANIZATION_FILTER limits it to one institution', async (world) => {
      const reply = await tuned(world, list)
      const { attributes } = child(reply, 'ListRecords', 'resumptionToken')
      same(attributes['completeListSize'], String(othersWorks), 'the number of records')
      const { ark } = await sampleWork(world)
      const other = await tuned(world, recordQuery(ark))
      same(child(other, 'error').attributes['code'], 'idDoesNotExist', 'the error of another work')
    }),
    row('METADATA_PREFIX is the metadata prefix', async (world) => {
      const reply = child(await tuned(world, 'verb=ListMetadataFormats'), 'ListMetadataFormats')
      const prefixes = children(reply, 'metadataFormat').map(
        (format) => child(format, 'metadataPrefix').text,
      )
      same(prefixes, [tuning.METADATA_PREFIX], 'the formats')
    }),
    filled('the-adapter', 'without METADATA_PREFIX all formats are offered', async (world) => {
      const reply = await harvest(world, await plainAdapter(world), 'verb=ListMetadataFormats')
      const formats = children(child(reply, 'ListMetadataFormats'), 'metadataFormat')
      same(formats.length, 5, 'the number of formats')
    }),
    row('RESUMPTION_TOKEN_TTL is the time that tokens are good for', async (world) => {
      const { attributes } = child(await tuned(world, list), 'ListRecords', 'resumptionToken')
      const leftMs = Date.parse(attributes['expirationDate'] ?? '') - Date.now()
      const ttlMs = Number(tuning.RESUMPTION_TOKEN_TTL) * 1_000
      // Of another unit, or the default of a day, it would be far from this.
      holds(leftMs > ttlMs / 2 && leftMs < ttlMs * 2, 'it is in seconds', attributes)
    }),
    row('MAX_RECORDS_PER_REQUEST is the size of a page', async (world) => {
      const records = children(child(await tuned(world, list), 'ListRecords'), 'record')
      same(records.length, Number(tuning.MAX_RECORDS_PER_REQUEST), 'the records on a page')
    }),
    row('ENABLE_SETS turns sets off', async (world) => {
      const error = child(await tuned(world, 'verb=ListSets'), 'error')
      same(error.attributes['code'], 'noSetHierarchy', 'the error')
    }),
    filled('the-adapter', 'unless told, sets are on', async (world) => {
      child(await harvest(world, await plainAdapter(world), 'verb=ListSets'), 'ListSets')
    }),
    filled('the-adapter', 'an organization that there is not is refused', async (world) => {
      const settings = { ...(await requiredSettings(world)), ORGANIZATION_FILTER: 'no-such' }
      const { code, stderr, stdout } = await runAdapter(world, settings)
      holds(code !== 0, 'it does not start', code)
      matches(stdout + stderr, /no-such/, 'what it says')
    }),
  ],
}
