import path from 'node:path'

import { untilGiven } from '#test/_until.ts'
import { answered, matches } from '#test/interface/_expect.ts'
import { keyOf, keyOfOthers } from '#test/interface/_keys.ts'
import { register, sampleWork } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import {
  newDataDir,
  runArklog,
  type Ended,
  type Settings,
  startArklog,
} from '#test/scenario/_process.ts'
import { type ReadElement, readXml } from '#test/src/_xml.ts'

/** An adapter that serves harvesters. */
export type Adapter = { readonly oaiUrl: string }

/** What an adapter must be told, but for the address of the registry. */
export async function requiredSettings(world: World): Promise<Settings> {
  return {
    SVC_API_KEY: await keyOf(world, 'works:read'),
    REPOSITORY_NAME: 'Works of the rows',
    ADMIN_EMAIL: 'harvest@works.example.org',
    BASE_URL: 'https://oai.works.example.org',
  }
}

/** Where an adapter runs, and what it is for. */
async function placeSettings({ place, owner }: World): Promise<Settings> {
  const DATA_DIR = path.join(path.dirname(await newDataDir(owner)), 'oai')
  return { DATA_DIR, SVC_URL: place.baseUrl }
}

/** Starts an adapter that must end because it is told too little; gives its words. */
export async function runAdapter(world: World, settings: Settings): Promise<Ended> {
  return runArklog(world.owner, ['oai', '--json'], { ...(await placeSettings(world)), ...settings })
}

async function startAdapter(world: World, settings: Settings): Promise<Adapter> {
  const own = await placeSettings(world)
  const { line } = await startArklog(world.owner, ['oai', '--json'], { ...own, ...settings })
  const { local_url: url } = JSON.parse(line) as { readonly local_url: string }
  return { oaiUrl: `${url}/oai` }
}

/** The adapter that is told nothing but what it must be told; it has the sample. */
export function plainAdapter(world: World): Promise<Adapter> {
  return world.once('plain adapter', async () => {
    const { ark } = await sampleWork(world)
    const adapter = await startAdapter(world, await requiredSettings(world))
    await untilHarvested(world, adapter, ark)
    return adapter
  })
}

/** An adapter whose registry nobody can reach, and which has copied nothing before. */
export function unreadyAdapter(world: World): Promise<Adapter> {
  return world.once('unready adapter', async () => {
    // A port that is reserved (RFC 1078): nobody listens there.
    const settings = { ...(await requiredSettings(world)), SVC_URL: 'http://127.0.0.1:1' }
    return startAdapter(world, settings)
  })
}

/** What the tuned adapter is told beside what it must be told. */
export const tuning = {
  METADATA_PREFIX: 'oai_dc',
  RESUMPTION_TOKEN_TTL: '7200',
  MAX_RECORDS_PER_REQUEST: '2',
  ENABLE_SETS: 'false',
} as const

/** Works of the organization that the tuned adapter is limited to. */
export const othersWorks = 3

/** The adapter that is told everything. */
export function tunedAdapter(world: World): Promise<Adapter> {
  return world.once('tuned adapter', async () => {
    const key = await keyOfOthers(world, 'works:write')
    let ark = ''
    for (let count = 0; count < othersWorks; count += 1) {
      ;({ ark } = await register(world, undefined, key))
    }
    const filter = { ORGANIZATION_FILTER: `others-${world.run}` }
    const settings = { ...(await requiredSettings(world)), ...tuning, ...filter }
    const adapter = await startAdapter(world, settings)
    await untilHarvested(world, adapter, ark)
    return adapter
  })
}

/** Asks a repository, which must answer with XML in UTF-8. */
export async function harvest(
  world: World,
  { oaiUrl }: Adapter,
  query: string,
): Promise<ReadElement> {
  const reply = answered(await world.call(`GET ${oaiUrl}?${query}`), 200)
  matches(reply.headers.get('content-type'), /^text\/xml; *charset=utf-8$/i, 'Content-Type')
  return readXml(reply.text)
}

/** Waits until an adapter has a work. */
export function untilHarvested(world: World, adapter: Adapter, ark: string): Promise<ReadElement> {
  const look = async () => {
    const reply = await world.call(`GET ${adapter.oaiUrl}?${recordQuery(ark)}`)
    if (reply.status !== 200) return undefined
    const read = readXml(reply.text)
    return read.children.some(({ name }) => name === 'GetRecord') ? read : undefined
  }
  return untilGiven(`the adapter has ${ark}`, look, { pauseMs: 50 })
}

/** The query for one record in Dublin Core. */
export function recordQuery(ark: string, prefix = 'oai_dc'): string {
  return `verb=GetRecord&identifier=${encodeURIComponent(ark)}&metadataPrefix=${prefix}`
}
