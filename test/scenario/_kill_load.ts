import assert from 'node:assert/strict'

import { newWork, type Server } from '#test/scenario/_process.ts'
import { type Reply, request } from '#test/scenario/_request.ts'

/** A registration under an Idempotency-Key: its body and, once there was an answer, its ARKs. */
export type RequestKey = {
  readonly key: string
  readonly works: readonly Record<string, string>[]
  readonly isBulk: boolean
  arks: readonly string[] | undefined
}

/** What was acknowledged of one work. */
export type PromisedWork = {
  /** The metadata hash of each version that was acknowledged. */
  readonly versions: Map<number, string>
  withdrawal: 'none' | 'asked' | 'acknowledged'
}

/** All that clients were told, and all they asked for without an answer; true for ever after. */
export class Promised {
  readonly works = new Map<string, PromisedWork>()
  readonly requests: RequestKey[] = []
  /** Every root that was ever served, by tree size. */
  readonly roots = new Map<number, string>()
  /** Told of every acknowledgement. */
  acknowledged: () => void = () => {}

  noteVersion(ark: string, version: number, metadataHash: string): PromisedWork {
    const work = this.works.get(ark) ?? { versions: new Map(), withdrawal: 'none' }
    const known = work.versions.get(version) ?? metadataHash
    assert.equal(metadataHash, known, `two contents of version ${version} of ${ark}`)
    work.versions.set(version, metadataHash)
    this.works.set(ark, work)
    this.acknowledged()
    return work
  }

  noteRoot(treeSize: number, rootHash: string): void {
    const known = this.roots.get(treeSize) ?? rootHash
    assert.equal(rootHash, known, `two roots for size ${treeSize}`)
    this.roots.set(treeSize, rootHash)
  }
}

/** A server under load. */
export type Target = {
  readonly server: Server
  readonly key: string
  readonly promised: Promised
  /** Tells the requests of one life of the server from those of another. */
  readonly life: string
  readonly random: () => number
}

const writers = 8
const bulkWorks = 20

/** Writes over several connections and reads checkpoints, all of it until the server is gone. */
export async function loadUntilGone(target: Target): Promise<void> {
  const clients = Array.from({ length: writers }, (_, writer) => () => write(target, writer))
  clients.push(() => watchCheckpoint(target))
  await Promise.all(clients.map(untilGone))
}

async function untilGone(client: () => Promise<never>): Promise<void> {
  try {
    await client()
  } catch (error) {
    // What fetch throws when a connection fails; everything else is a broken promise.
    if (!(error instanceof TypeError)) throw error
  }
}

/** Each writer changes only its own works, one request after another. */
async function write(target: Target, writer: number): Promise<never> {
  const own: string[] = []
  for (let count = 0; ; count += 1) {
    const name = `${target.life}, writer ${writer}, request ${count}`
    const dice = target.random()
    const ark = own[Math.floor(target.random() * own.length)]
    if (ark === undefined || dice < 0.5) {
      own.push(...(await register(target, startKeyed(target, name, dice < 0.1))))
    } else if (dice < 0.95) {
      await update(target, ark, name)
    } else {
      await withdraw(target, ark)
      own.splice(own.indexOf(ark), 1)
    }
  }
}

function startKeyed({ promised }: Target, name: string, isBulk: boolean): RequestKey {
  const works = Array.from({ length: isBulk ? bulkWorks : 1 }, (_, index) =>
    newWork(`${name}, work ${index}`),
  )
  const keyed = { key: name.replaceAll(/[ ,]+/g, '-'), works, isBulk, arks: undefined }
  promised.requests.push(keyed)
  return keyed
}

type Created = { readonly ark_identifier: string; readonly metadata_hash: string }
type Item = Created & { readonly status: number; readonly replayed?: boolean }

/** Sends a keyed registration, for the first time or again; gives the ARKs of its works. */
export async function register(
  { server, key, promised }: Pick<Target, 'server' | 'key' | 'promised'>,
  keyed: RequestKey,
): Promise<readonly string[]> {
  const { works, isBulk } = keyed
  const headers = { 'idempotency-key': keyed.key }
  const path = isBulk ? '/v1/works/bulk' : '/v1/works'
  const body = isBulk ? { works } : works[0]
  const reply = await request<Created & { results: Item[] }>(server, path, { key, headers, body })
  const items = isBulk ? reply.body.results : [{ ...reply.body, status: reply.status }]
  const arks = items.map((item) => {
    assert.equal(item.status, 201, JSON.stringify(item))
    promised.noteVersion(item.ark_identifier, 1, item.metadata_hash)
    return item.ark_identifier
  })
  assert.deepEqual(arks, keyed.arks ?? arks, 'a key is one work for ever')
  keyed.arks = arks
  return arks
}

async function update({ server, key, promised }: Target, ark: string, name: string): Promise<void> {
  type Change = { readonly version: number; readonly metadata_hash: string }
  const body = { description: name }
  const options = { method: 'PUT', key, body }
  const reply: Reply<Change> = await request(server, `/v1/works/${ark}`, options)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  promised.noteVersion(ark, reply.body.version, reply.body.metadata_hash)
}

async function withdraw({ server, key, promised }: Target, ark: string): Promise<void> {
  const work = promised.works.get(ark)
  assert(work !== undefined)
  work.withdrawal = 'asked'
  const body = { reason: 'test' }
  const { status } = await request(server, `/v1/works/${ark}/withdraw`, { key, body })
  assert.equal(status, 200)
  work.withdrawal = 'acknowledged'
  promised.acknowledged()
}

async function watchCheckpoint({ server, promised }: Target): Promise<never> {
  for (;;) await noteCheckpoint(server, promised)
}

/** Reads the checkpoint that is served now. */
export async function noteCheckpoint(server: Server, promised: Promised): Promise<void> {
  const response = await fetch(`${server.started.local_url}/log/checkpoint`)
  assert.equal(response.status, 200)
  const [, treeSize, rootHash = ''] = (await response.text()).split('\n')
  promised.noteRoot(Number(treeSize), Buffer.from(rootHash, 'base64').toString('hex'))
}
