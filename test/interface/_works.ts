import { untilGiven } from '#test/_until.ts'
import { answered, holds } from '#test/interface/_expect.ts'
import { keyOf } from '#test/interface/_keys.ts'
import type { Json } from '#test/interface/_request.ts'
import type { World } from '#test/interface/_world.ts'

/** The fields of a work as they are sent. */
export type WorkFields = Readonly<Record<string, unknown>>

/** A work that was registered for the rows. */
export type Sample = {
  readonly ark: string
  readonly id: string
  readonly fields: WorkFields
  /** The answer to its registration. */
  readonly created: Json
}

/** The fields that a work must have; the title is its own. */
export function leastFields(world: World, about = 'A work'): WorkFields {
  const name = world.name(about)
  return {
    work_title: name,
    work_type: 'article',
    authors: 'Ada Lovelace',
    work_url: `https://works.example/${name.replaceAll(' ', '-')}`,
  }
}

/** All fields that the text of the interface names, of content that can be read. */
export function allFields(world: World): WorkFields {
  const name = world.name('Notes on the engine')
  const place = name.replaceAll(' ', '-')
  return {
    work_title: name,
    work_type: 'article',
    authors: 'Ada Lovelace, Luigi Menabrea',
    description: 'What the engine can do, and how it is told to.',
    work_url: world.place.content?.stable(place) ?? `https://works.example/${place}`,
    existing_doi: `10.5555/${place.toLowerCase()}`,
    keywords: 'engines, numbers',
    language: 'en',
    license: 'CC-BY-4.0',
  }
}

/** A key that writes works. */
export function writingKey(world: World): Promise<string> {
  return keyOf(world, 'works:write')
}

/** A key that reads all that can be read. */
export function readingKey(world: World): Promise<string> {
  return keyOf(world, 'works:read', 'receipts:read', 'people:read', 'search:read')
}

/** Registers a work of its own for a row; gives what it was answered with. */
export async function register(
  world: World,
  fields: WorkFields = leastFields(world),
  key?: string,
): Promise<Sample> {
  const sent = { key: key ?? (await writingKey(world)), body: fields }
  const { body: created } = answered(await world.call('POST /v1/works', sent), 201)
  return { ark: created.ark_identifier, id: created.svc_id, fields, created }
}

/** The work that rows share and leave as it is: all fields, content that was read. */
export function sampleWork(world: World): Promise<Sample> {
  return world.once('sample work', async () => {
    const sample = await register(world, allFields(world))
    if (world.place.content !== undefined) await untilStatus(world, sample.ark, 'verified')
    return sample
  })
}

/** The same, where the registry may read its content; otherwise the row is not tried. */
export async function checkedWork(world: World): Promise<Sample> {
  const { hostPort } = world.content
  const sample = await sampleWork(world)
  holds(String(sample.fields['work_url']).includes(hostPort), 'its content is at our site')
  return sample
}

/** The work that rows share and change: each makes a version of it. */
export function changedWork(world: World): Promise<Sample> {
  return world.once('changed work', () => register(world, allFields(world)))
}

/** A work with two versions. */
export function workOfTwoVersions(world: World): Promise<Sample> {
  return world.once('work of two versions', async () => {
    const sample = await register(world)
    const sent = { key: await writingKey(world), body: { description: 'Another abstract.' } }
    answered(await world.call(`PUT /v1/works/${sample.ark}`, sent), 200)
    return sample
  })
}

/** Waits until the content of a work is found to be so; gives its receipt then. */
export function untilStatus(world: World, ark: string, status: string, version = 1): Promise<Json> {
  const look = async () => {
    const { body } = await world.call(`GET /api/v1/receipts/${ark}/v${version}`)
    return body.fixity_status === status ? body : undefined
  }
  return untilGiven(`the content of ${ark} is ${status}`, look, { pauseMs: 20 })
}

/** Waits until a search, which follows the registry, finds something; gives its answer. */
export function untilFound(world: World, path: string): Promise<Json> {
  const look = async () => {
    const { body } = await world.call(`GET ${path}`, { key: await keyOf(world, 'search:read') })
    return body.results?.length > 0 ? body : undefined
  }
  return untilGiven(`something is found by ${path}`, look, { pauseMs: 50 })
}
