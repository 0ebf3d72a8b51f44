import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'

import { logVerifier } from '#log/tlog/cosignature.ts'
import { LogError } from '#log/tlog/errors.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { parseEntriesPath, parseTilePath } from '#log/tlog/tile.ts'
import { onEndSignal } from '#src/cli/closing.ts'
import {
  addAlarmOptions,
  addKeyOptions,
  addRoundOptions,
  type AlarmChannels,
  channelsOf,
  chooseKeys,
  type MonitorKeys,
  parseListen,
  parseSeconds,
  parseUrl,
  readQuorum,
} from '#src/cli/monitor.ts'
import { lineChannel, type MonitorRun, runMonitor, type RunParts } from '#src/cli/monitor_run.ts'
import { addCommand, failUnusable, print, UnusableError } from '#src/cli/program.ts'
import { CountBar } from '#src/cli/progress.ts'
import { openSmallServer, type SmallAddress } from '#src/cli/start/listeners.ts'
import { auditCopy, type CopyAudit } from '#src/tlog_tools/mirror/copy_audit.ts'
import { CopyFolder, LogCopy } from '#src/tlog_tools/mirror/copy_folder.ts'
import { isMapFile, MapFiles, newestMapFile } from '#src/tlog_tools/mirror/map_files.ts'
import { findLogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import type { MonitorSettings } from '#src/tlog_tools/monitor/monitor.ts'
import { registryOf } from '#src/tlog_tools/monitor/watch.ts'

type MirrorOptions = MonitorKeys &
  AlarmChannels &
  Omit<MonitorRun, 'state' | 'once'> & {
    readonly dir: string
    readonly policy?: string
    readonly cosignedWithin: number
    readonly follow: boolean
    readonly serve?: SmallAddress
    readonly verify: boolean
    readonly staleAfter: number
    readonly mapWithin: number
    readonly mapFiles?: number
  }

/** A copy is not what its log has signed; the problems have been printed. */
class CopyDamagedError extends Error {
  readonly code = 'copy_damaged'

  constructor(problems: number) {
    super(problems === 1 ? 'there is a problem' : `there are ${problems} problems`)
    this.name = 'CopyDamagedError'
  }
}

const notes = `
The folder log below --dir is the copy, with the paths of C2SP tlog-tiles, so any web server can
serve it. Only verified data is written there. If the command is interrupted, it continues where
it was. With --policy the copy shows a checkpoint only with the quorum of its witnesses. Without
an address the command serves or verifies the existing copy, and reads nothing else.

Exit code: 0 no problem, or a service was told to stop; 1 there was an alarm, or the copy is
damaged; 2 the log or the copy could not be read. See docs/mirroring.md.`

/** Adds `mirror`, which keeps a full and verified copy of a log. */
export function defineMirror(program: Command): void {
  const command = addCommand(
    program,
    'mirror',
    'mirror a log: keep a full, verified copy, and serve it',
  )
  command
    .argument('[url]', 'address of the log, or of the registry that has it', parseUrl)
    .requiredOption('--dir <folder>', 'folder of the copy')
    .option('--follow', 'keep it up to date', false)
    .option(
      '--serve <host:port>',
      'serve the copy at this address, and keep it up to date',
      parseListen,
    )
    .option(
      '--map-files <seconds>',
      'also write the map as files, at most this often',
      parseSeconds,
    )
    .option('--verify', 'verify the whole copy offline', false)
  addKeyOptions(command)
    .option('--policy <file>', 'witnesses and quorum that must have signed (C2SP tlog-policy)')
    .option('--cosigned-within <seconds>', 'maximum age of that', parseSeconds, 7_200)
  addRoundOptions(command).option(
    '--listen <host:port>',
    'health and metrics at this address',
    parseListen,
  )
  addAlarmOptions(command).addHelpText('after', notes).action(mirror)
}

async function mirror(url: string | undefined, options: MirrorOptions): Promise<void> {
  if (options.verify) return verify(url, options)
  if (url === undefined) return serveOnly(options)
  const once = !options.follow && options.serve === undefined && options.listen === undefined
  const run = { ...options, state: options.dir, once }
  return runMonitor(run, (parts) => readSettings(url, options, parts))
}

async function readSettings(
  url: string,
  options: MirrorOptions,
  { signal, onProgress, opened }: RunParts,
): Promise<MonitorSettings> {
  const { vkey } = await chooseKeys(options)
  const isService = options.listen !== undefined
  const printed = { json: options.json || isService }
  const quorum = await readQuorum(options, vkey)
  const verifier = logVerifier(vkey, options.origin)
  const folder = copyIn(options)
  const copy = new LogCopy({
    folder,
    verifier,
    isWitnessed: quorum !== undefined,
    published(treeSize) {
      const at = new Date().toISOString()
      const text = `${at} the copy shows ${treeSize} entries`
      print(printed, { at, type: 'published', tree_size: treeSize }, text)
    },
  })
  const files = await mapFilesOf(folder, verifier, options, opened)
  if (options.serve !== undefined) {
    const service = await serveCopy(folder, options.serve)
    opened.defer(() => service.close())
    printServing(printed, service)
  }
  return {
    followed: {
      keeper: copy,
      onProgress,
      source: findLogSource(url, vkey, signal),
      vkey,
      verifier,
      folder: options.dir,
      staleAfterMs: options.staleAfter * 1_000,
    },
    async publish(known) {
      await copy.publish(known)
      await files?.publish(Date.now())
    },
    ...(quorum && { quorum }),
    map: { withinMs: options.mapWithin * 1_000, registry: registryOf(url) },
    vantages: [],
    channels: [lineChannel(printed, { alarms: isService }), ...(await channelsOf(options))],
    signal,
  }
}

/** What writes the map as files, if that is wished. */
async function mapFilesOf(
  folder: CopyFolder,
  verifier: Verifier,
  { dir, mapFiles: seconds }: MirrorOptions,
  opened: DisposableStack,
): Promise<MapFiles | undefined> {
  if (seconds === undefined) return undefined
  const own = path.join(dir, 'map-files')
  await mkdir(own, { recursive: true, mode: 0o700 })
  const maps = await MapWatch.open(own, verifier.origin ?? verifier.keyName)
  opened.defer(() => void maps.close())
  return new MapFiles({ folder, verifier, maps, intervalMs: seconds * 1_000 })
}

function copyIn({ dir }: MirrorOptions): CopyFolder {
  return new CopyFolder(path.join(path.resolve(dir), 'log'))
}

function printServing(printed: { readonly json: boolean }, { url }: CopyService): void {
  const at = new Date().toISOString()
  print(printed, { at, type: 'serving', url }, `${at} the copy is at ${url}`)
}

/** Serves the copy that is there, until it is told to end. */
async function serveOnly(options: MirrorOptions): Promise<void> {
  try {
    if (options.serve === undefined) {
      throw new UnusableError('give the address of a log to copy, or --serve, or --verify')
    }
    const folder = copyIn(options)
    if ((await folder.checkpoint()) === undefined)
      throw new UnusableError(`${options.dir} has no copy of a log`)
    const ends = Promise.withResolvers<void>()
    using opened = new DisposableStack()
    opened.use(onEndSignal(ends.resolve))
    const service = await serveCopy(folder, options.serve)
    opened.defer(() => service.close())
    printServing(options, service)
    await ends.promise
  } catch (error) {
    failUnusable(error, options.json)
  }
}

async function verify(url: string | undefined, options: MirrorOptions): Promise<void> {
  const bar = new CountBar()
  try {
    if (url !== undefined) throw new UnusableError('--verify reads the copy alone: give no address')
    const { vkey } = await chooseKeys(options)
    const quorum = await readQuorum(options, vkey)
    await using opened = new AsyncDisposableStack()
    const verifier = logVerifier(vkey, options.origin)
    const audit = await auditCopy({
      folder: copyIn(options),
      verifier,
      maps: await openEmptyMap(verifier, opened),
      ...(quorum && { witnesses: quorum.verifiers }),
      onProgress: (entries, treeSize) => bar.show('entries', entries, treeSize),
    }).finally(() => bar.stop())
    const { treeSize: tree_size, problems, ahead } = audit
    print(options, { tree_size, problems, ahead }, formatAudit(audit, options))
    if (problems.length > 0) throw new CopyDamagedError(problems.length)
  } catch (error) {
    if (error instanceof CopyDamagedError) throw error
    failUnusable(error, options.json)
  }
}

/** A map that begins with the first entry, in a folder that is there until `opened` ends. */
async function openEmptyMap(
  { origin, keyName }: Verifier,
  opened: AsyncDisposableStack,
): Promise<MapWatch> {
  const folder = await mkdtemp(path.join(tmpdir(), 'arklog-map-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const maps = await MapWatch.open(folder, origin ?? keyName)
  opened.defer(() => maps.close())
  return maps
}

function formatAudit({ treeSize, problems, ahead }: CopyAudit, { dir }: MirrorOptions): string {
  const later = ahead === 0 ? [] : [`${ahead} files are of later entries, not shown yet`]
  if (problems.length === 0) {
    return [`all ${treeSize} entries are what the log has signed`, ...later].join('\n')
  }
  const named = problems.map(({ file, message }) => `${file}: ${message}`)
  const state = path.join(dir, 'state.json')
  const advice = `To have all read and written anew: remove ${state}, and mirror the log again.`
  return [...named, ...later, advice].join('\n')
}

/** A copy that is served. */
type CopyService = { readonly url: string; close(): void }

const connectionsMax = 1_000
const requestMs = 30_000

/** For how long a reader may take nothing of an answer. */
const stalledMs = 20_000

/**
 * Files that are read for answers at one time, each of which has 16 MB at most, and bytes of
 * answers that their readers have not taken yet.
 */
const limitsDefault = { reads: 32, unsentBytes: 256 * 1_048_576 }

// As the log itself has them: what a tile holds never changes.
const forEver = 'public, max-age=31536000, immutable'

/**
 * Serves a copy to everybody, read-only, at the addresses of C2SP tlog-tiles: `/checkpoint`,
 * `/tile/…`; and the files of its map, `/map/…`. Also partial tiles and bundles that only wider
 * ones are there of. Errors: those of listening.
 */
export async function serveCopy(
  folder: CopyFolder,
  address: SmallAddress,
  limits = limitsDefault,
): Promise<CopyService> {
  let reads = 0
  let unsentBytes = 0
  const serve: RequestListener = (request, response) => {
    if (reads >= limits.reads || unsentBytes >= limits.unsentBytes) {
      return answer(response, 503, { 'retry-after': '1' }, 'busy\n')
    }
    reads += 1
    reply(folder, request, response)
      .then((bytes) => {
        unsentBytes += bytes
        response.once('close', () => (unsentBytes -= bytes))
      })
      .catch(() => response.destroy())
      .finally(() => (reads -= 1))
  }
  const opened = await openSmallServer(serve, address, { connectionsMax, requestMs })
  // A connection whose reader stands still is closed, and so is one that asks for nothing.
  opened.server.setTimeout(stalledMs)
  return opened
}

/** Answers a request; gives how many bytes the body of the answer has. */
async function reply(
  folder: CopyFolder,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<number> {
  if (method !== 'GET' && method !== 'HEAD') {
    answer(response, 405, { allow: 'GET, HEAD' }, 'method not allowed\n')
    return 0
  }
  const file = url.slice(1)
  const bytes = await read(folder, file)
  if (bytes === undefined) {
    answer(response, 404, { 'cache-control': 'no-store' }, 'not found\n')
    return 0
  }
  const isReplaced = file === 'checkpoint' || file === newestMapFile
  const isText = isReplaced || file.endsWith('/checkpoint')
  const headers = {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'cache-control': isReplaced ? 'no-cache' : forEver,
    // A page that checks a log in a browser can read any copy of it.
    'access-control-allow-origin': '*',
    'content-length': bytes.length,
  }
  const body = method === 'HEAD' ? undefined : bytes
  response.writeHead(200, headers).end(body)
  return body?.length ?? 0
}

/** A file of the copy by its path, in its one spelling; undefined if there is nothing. */
async function read(folder: CopyFolder, file: string): Promise<Uint8Array | undefined> {
  if (file === 'checkpoint') return folder.checkpoint()
  if (isMapFile(file)) return folder.file(file)
  try {
    if (file.startsWith('tile/entries/')) return await folder.bundle(parseEntriesPath(file))
    return await folder.tile(parseTilePath(file))
  } catch (error) {
    if (error instanceof LogError) return undefined
    throw error
  }
}

function answer(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  text: string,
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text)
}
