import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { ExecutionContext } from 'ava'
import type { Agent } from '#actors/values/agent.ts'
import {
  type Environment,
  environmentLimits,
  type EnvironmentOptions,
} from '#actors/registry/environment.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { startEnvironment } from '#actors/registry/open_environment.ts'
import type { ReceiptSigner } from '#actors/works/receipts/statement.ts'
import type { RegisterCommand, RegisteredWork } from '#actors/works/port.ts'
import { ed25519Keys, sign } from '#log/tlog/ed25519.ts'
import type { Store } from '#log/store/store.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { personKeys } from '#test/actors/people/_seal.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

/** The organization that acts in the tests, and another one. */
export const demo: Agent = { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key' }
export const other: Agent = { type: 'organization', id: 'other', name: 'Other', via: 'api_key' }
export const admin: Agent = {
  type: 'operator',
  id: 'operator',
  name: 'Operator',
  via: 'cli',
  admin: true,
}

/** Signs in its own tick: a simulation must not wait for threads. */
export function tickSigner(seed: number): ReceiptSigner {
  const key = ed25519Keys.fromSeed(Buffer.alloc(32, seed))
  const publicKey = Buffer.from(key.publicKey).toString('hex')
  return { publicKey, sign: async (message) => ({ publicKey, signature: sign(message, key) }) }
}

const receiptSigner = tickSigner(2)

/** A registry of one test: it can be closed and opened again on the same disk. */
export type TestRegistry = {
  readonly options: EnvironmentOptions
  readonly disk: MemoryDisk
  /** The outcomes reported as unknown. */
  readonly fatal: unknown[]
  open(store?: Store): Promise<Environment>
}

/** Makes a registry in memory; its head guard is a file of the test's own. */
export async function makeRegistry(
  t: ExecutionContext,
  changes: Partial<EnvironmentOptions> = {},
): Promise<TestRegistry> {
  const dir = await makeTempDir(t)
  const disk: MemoryDisk = new Map()
  const fatal: unknown[] = []
  const { systemMs = Date.now, clock = guardOf(systemMs) } = changes
  const options: EnvironmentOptions = {
    name: 'live',
    naan: '12345',
    shoulder: 'k2',
    dated: false,
    baseUrl: 'https://registry.example',
    origin: 'registry.example/log',
    logKey: ed25519Keys.fromSeed(Buffer.alloc(32, 1)),
    ...personKeys(),
    receiptSigner: () => receiptSigner,
    storeDir: dir,
    headFile: path.join(dir, 'live.head'),
    create: true,
    random: (count) => randomBytes(count),
    limits: environmentLimits,
    report: (report) => t.log(report),
    damaged: (message) => t.log(message),
    fatal: (error) => fatal.push(error),
    ...changes,
    systemMs,
    clock,
  }
  return {
    options,
    disk,
    fatal,
    open: (store = openMemoryStore(disk)) =>
      startEnvironment(store, { ...options, create: disk.size === 0 }),
  }
}

/** Opens a registry in memory that is closed when the test ends. */
export async function openRegistry(
  t: ExecutionContext,
  changes: Partial<EnvironmentOptions> = {},
): Promise<Environment> {
  const registry = await makeRegistry(t, changes)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  return environment
}

/** Metadata of a small work. */
export function metadataOf(title: string, more: Record<string, unknown> = {}): Metadata {
  const checked = checkNewWork({
    work_title: title,
    work_type: 'article',
    authors: 'Ada Lovelace, Charles Babbage',
    work_url: 'https://example.org/work',
    ...more,
  })
  if (checked.type !== 'ok') throw new Error(JSON.stringify(checked.faults))
  return checked.metadata
}

/** A command that registers a work, given by its title or its whole metadata. */
export function registration(
  work: string | Metadata,
  more: Partial<RegisterCommand> = {},
): RegisterCommand {
  return {
    metadata: typeof work === 'string' ? metadataOf(work) : work,
    warnings: [],
    by: demo,
    allowDuplicate: false,
    allowRepeat: false,
    dryRun: false,
    ...more,
  }
}

/** Registers a work that must be accepted. */
export async function register(
  environment: Environment,
  work: string | Metadata,
  more: Partial<RegisterCommand> = {},
): Promise<RegisteredWork> {
  const answer = await environment.works.register(registration(work, more))
  if (answer.type !== 'registered') throw new Error(`registering was ${answer.type}`)
  return answer.work
}

/** The normal form of a work's ARK. */
export function arkOf(work: { readonly ark_identifier: string }): string {
  return work.ark_identifier.slice('ark:/'.length)
}

/** The JSON of a rendered answer that must have been found. */
export function bodyOf(rendered: { readonly type: string; readonly body?: Uint8Array }): unknown {
  if (rendered.body === undefined) throw new Error(`the answer was ${rendered.type}`)
  return JSON.parse(Buffer.from(rendered.body).toString('utf8'))
}
