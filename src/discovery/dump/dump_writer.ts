import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Stride } from '#actors/kernel/stride.ts'
import { TaskThreads } from '#actors/kernel/task_threads.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { parseArk } from '#actors/values/ark.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import {
  type DumpFile,
  dumpFormat,
  type DumpManifest,
  type DumpTableFile,
  LineFile,
  packAgain,
  unusable,
} from '#src/discovery/dump/dump_file.ts'
import type { TablesTask } from '#src/discovery/dump/dump_tables.ts'
import {
  entryLine,
  type LoggedWork,
  LoggedWorks,
  monthOf,
  type WorksPart,
} from '#src/discovery/dump/logged_works.ts'

/** Where dumps are, in the data directory. */
export const dumpsFolder = 'dumps'

/**
 * Works that are looked at together, about: what the log says of them is in memory, some 400 bytes
 * each. For more works the log is read as often as there are parts.
 */
const partWorks = 250_000

/**
 * How long the making waits after each stride of some half a millisecond: it takes a quarter of the
 * thread that registers works, and not all that is left of it.
 */
const waitMs = 2

/** How many parts so many works are looked at in. */
export function partsOf(works: number): number {
  return Math.max(1, Math.ceil(works / partWorks))
}

/** The name of the file that names all others. */
export const manifestName = 'manifest.json'

type DumpSource = {
  readonly environment: Pick<ServedEnvironment, 'catalogue' | 'origin'> & {
    readonly log: Pick<ServedEnvironment['log'], 'head' | 'entries'>
  }
  readonly name: string
  readonly baseUrl: string
  readonly nowMs: () => number
  /** Ends the making, by an error. */
  readonly signal: AbortSignal
  /** How many parts so many works are looked at in. */
  readonly partsOf?: (works: number) => number
}

/**
 * Writes all works as they stand at the log's newest checkpoint below `dir`, beside the entries of
 * the log that prove it, and takes the dump before away. What was begun and not finished is made
 * anew. Errors: DumpError, if a work was erased meanwhile or is damaged; the reason of `signal`;
 * those of the file system.
 */
export async function writeDump(source: DumpSource, dir: string): Promise<DumpManifest> {
  const { environment, name, baseUrl, nowMs } = source
  const { log, origin } = environment
  const { treeSize, rootHash, checkpoint } = log.head()
  const half = path.join(dir, 'half')
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { recursive: true })
  const logFile = new LineFile(half, { name: `log-${treeSize}.jsonl.gz`, holds: 'log' })
  const counts = { works: 0, withdrawn: 0, without_metadata: 0 }
  const logged = { registrations: 0 }
  await logFile.append(entryLines(source, treeSize, logged))
  const parts = (source.partsOf ?? partsOf)(logged.registrations)
  const months = new Map<string, LineFile>()
  for (let nth = 0; nth < parts; nth += 1) {
    const works = await loggedWorks(source, treeSize, { nth, parts })
    counts.works += works.size
    for (const month of [...new Set([...works.all()].map(monthOf))].toSorted()) {
      const about = { name: `works-${month}-${treeSize}.jsonl.gz`, holds: 'works', month } as const
      const file = months.get(month) ?? new LineFile(half, about)
      months.set(month, file)
      await file.append(workLines(source, works, month, counts))
    }
  }
  const files: DumpFile[] = [await logFile.end()]
  for (const [, file] of [...months].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const gzip = await file.end()
    files.push(gzip, await packAgain(half, gzip))
  }
  const once = files.filter(({ encoding }) => encoding === 'gzip')
  const tables = await tablesOf({ folder: half, files: once, treeSize }, source.signal)
  const manifest: DumpManifest = {
    format: dumpFormat,
    made_at: new Date(nowMs()).toISOString(),
    registry: { name, url: baseUrl },
    documentation: `${baseUrl}/data`,
    log: { origin, tree_size: treeSize, root_hash: encodeHex(rootHash), checkpoint },
    counts,
    files,
    tables,
  }
  await writeFile(path.join(half, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const folder = `${manifest.made_at.slice(0, 10)}-${treeSize}`
  await rm(path.join(dir, folder), { recursive: true, force: true })
  await rename(half, path.join(dir, folder))
  for (const other of await dumpsIn(dir)) {
    if (other !== folder) await rm(path.join(dir, other), { recursive: true, force: true })
  }
  return manifest
}

/** When dumps are made, and who hears of it. */
export type DailyDumps = {
  /** How long after the beginning the first look is, and how long after each the next one. */
  readonly firstMs: number
  readonly everyMs: number
  /** Whether the disk has room for one. */
  readonly hasRoom: () => boolean
  readonly made: (manifest: DumpManifest) => void
  readonly failed: (error: unknown) => void
}

/**
 * Makes a dump each day (UTC), behind all else, until the signal ends it: one at a time, however
 * long it takes, for they are made in one folder.
 */
export async function makeDailyDumps(
  source: DumpSource,
  dir: string,
  { firstMs, everyMs, hasRoom, made, failed }: DailyDumps,
): Promise<void> {
  const { signal, nowMs } = source
  for (let nextMs = firstMs; ; nextMs = everyMs) {
    await sleep(nextMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    try {
      const day = new Date(nowMs()).toISOString().slice(0, 10)
      const { manifest } = (await newestDump(dir)) ?? {}
      if (manifest?.made_at.startsWith(day) === true || !hasRoom()) continue
      made(await writeDump(source, dir))
    } catch (error) {
      if (!signal.aborted) failed(error)
    }
  }
}

/** Removes all dumps, and what was begun of one: they have what was erased from the store. */
export async function removeDumps(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true })
}

async function dumpsIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => /^\d{4}-\d\d-\d\d-\d+$/.test(name)).toSorted()
}

/** The newest whole dump below a folder, and the folder that it is in; undefined without one. */
export async function newestDump(
  dir: string,
): Promise<{ readonly folder: string; readonly manifest: DumpManifest } | undefined> {
  const name = (await dumpsIn(dir)).at(-1)
  if (name === undefined) return undefined
  const folder = path.join(dir, name)
  const text = await readFile(path.join(folder, manifestName), 'utf8')
  return { folder, manifest: JSON.parse(text) as DumpManifest }
}

async function* entryLines(
  { environment: { log }, signal }: DumpSource,
  treeSize: number,
  logged: { registrations: number },
): AsyncGenerator<string> {
  const stride = new Stride({ waitMs })
  for await (const entry of log.entries(0, treeSize)) {
    signal.throwIfAborted()
    const line = entryLine(entry)
    if (isFirstVersion(line)) logged.registrations += 1
    yield line
    await stride.step(entry.length)
  }
}

// A look at the text is enough to know in about how many parts the works are to be looked at.
function isFirstVersion(line: string): boolean {
  return line.includes('"statement":"registered"') && /"version":1[,}]/.test(line)
}

async function loggedWorks(
  { environment: { log }, signal }: DumpSource,
  treeSize: number,
  part: WorksPart,
): Promise<LoggedWorks> {
  const stride = new Stride({ waitMs })
  const works = new LoggedWorks(part)
  for await (const entry of log.entries(0, treeSize)) {
    signal.throwIfAborted()
    works.add(entry)
    await stride.step(entry.length)
  }
  return works
}

async function* workLines(
  source: DumpSource,
  works: LoggedWorks,
  month: string,
  counts: { withdrawn: number; without_metadata: number },
): AsyncGenerator<string> {
  const stride = new Stride({ waitMs })
  for (const work of works.all()) {
    if (monthOf(work) !== month) continue
    source.signal.throwIfAborted()
    const metadata = await metadataOf(source, work)
    if (work.status === 'withdrawn') counts.withdrawn += 1
    if (metadata === null) counts.without_metadata += 1
    const line = JSON.stringify({ ...work, metadata })
    yield line
    await stride.step(line.length)
  }
}

/** What the thread that writes tables may take: a million works take minutes. */
const tableTime = { cpuMsMax: 3_600_000, msMax: 14_400_000 }

/** Writes the tables in a thread of its own. */
async function tablesOf(task: TablesTask, signal: AbortSignal): Promise<DumpTableFile[]> {
  const thread = new TaskThreads<TablesTask, DumpTableFile[]>({
    file: new URL('./dump_tables_worker.ts', import.meta.url),
    name: 'tables',
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    threadsMax: 1,
    waitingMax: 1,
    taskTime: tableTime,
    idleMsMax: 0,
  })
  const stop = () => void thread.close()
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    return await thread.run(task)
  } finally {
    signal.removeEventListener('abort', stop)
    await thread.close()
  }
}

/** What was registered as the version that the log has; null once it was erased. */
async function metadataOf(
  { environment: { catalogue } }: DumpSource,
  { ark: shown, version, status }: LoggedWork,
): Promise<unknown> {
  const parsed = parseArk(shown)
  const found =
    parsed.type === 'ark' ? await catalogue.resolve(parsed.ark, shown, version) : undefined
  if (found?.type === 'found') {
    const body = JSON.parse(Buffer.from(found.body).toString('utf8')) as { metadata?: unknown }
    if (body.metadata !== undefined) return body.metadata
    if (status === 'withdrawn') return null
  }
  throw unusable(`${shown} v${version} cannot be read as the log has it`)
}
