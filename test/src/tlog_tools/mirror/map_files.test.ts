import test, { type ExecutionContext } from 'ava'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { CutMap } from '#log/tlog/map/map_layer.ts'
import { decodeMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { emptyNode, mapKey } from '#log/tlog/map/map_tree.ts'
import { encodeMapValue } from '#log/tlog/map/map_value.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { formatEntriesPath, formatTilePath } from '#log/tlog/tile.ts'
import { serveCopy } from '#src/cli/mirror.ts'
import { verifyNewest } from '#src/client/verify/newest.js'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { auditCopy } from '#src/tlog_tools/mirror/copy_audit.ts'
import { CopyFolder, LogCopy } from '#src/tlog_tools/mirror/copy_folder.ts'
import {
  httpMapFiles,
  isMapFile,
  MapFiles,
  mapFiles,
  type MapFileSource,
  proveFromFiles,
} from '#src/tlog_tools/mirror/map_files.ts'
import { httpLogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import type { KnownLog } from '#src/tlog_tools/monitor/monitor.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { MappedLog, type MapTable, registry } from '#test/src/client/verify/_mapped_log.ts'
import { keyListOf, vkeyOf } from '#test/src/client/verify/_registry.ts'
import { openMonitor } from '#test/src/tlog_tools/monitor/_opened_monitor.ts'
import { filesOf, serveLog } from '#test/src/tlog_tools/monitor/_served_log.ts'

const { live: keys } = await parseKeyList(keyListOf(registry))
const verifierKey = vkeyOf(registry.origin, registry.logKey)
const verifier = noteVerifier(verifierKey)

/** A log whose map leaf has so many ARKs, and the map behind it. */
function logOf(count: number) {
  const log = new MappedLog()
  log.state('ark:/12345/a0', 'registered', 1)
  let all: MapTable = new Map()
  log.addMapLeaf((table) => {
    const [value] = table.values()
    if (value === undefined) return table
    for (let at = 0; at < count; at += 1) table.set(`ark:/12345/a${at}`, value)
    return (all = table)
  })
  const entries = [...all]
    .map(([ark, value]) => Buffer.concat([mapKey(ark), encodeMapValue(value)]))
    .toSorted((a, b) => Buffer.compare(a, b))
  const map: CutMap = { depth: 0, node: () => emptyNode, bucket: () => Buffer.concat(entries) }
  return { log, map, leaf: decodeMapLeaf(log.entries[1] ?? Buffer.of()) }
}

/** What a mirror of these files serves; each file that is read is noted. */
function sourceOf(files: ReadonlyMap<string, Uint8Array | number>) {
  const read: string[] = []
  const get = async (path: string) => {
    read.push(path)
    const bytes = files.get(path)
    if (bytes instanceof Uint8Array) return bytes
    throw new SourceError('missing', path)
  }
  const source: MapFileSource = {
    checkpoint: () => get('checkpoint'),
    tile: (tile) => get(formatTilePath(tile)),
    entryBundle: async (index, width) => {
      return { bytes: await get(formatEntriesPath({ index, width })), width }
    },
    file: get,
  }
  return { source, read }
}

for (const count of [1, 256, 257, 700, 66_000]) {
  test(`the files of a map of ${count} ARKs prove what is in it, and what is not`, async (t) => {
    const { log, map, leaf } = logOf(count)
    const made = new Map(mapFiles(map, leaf, log.checkpoint()))
    t.true([...made.keys()].every(isMapFile))
    t.is([...made.keys()].at(-1), 'map/newest')
    const files = new Map<string, Uint8Array | number>([...filesOf(log.entries), ...made])
    const { source, read } = sourceOf(files)
    for (let at = 0; at < 40; at += 1) {
      const isThere = at % 2 === 0
      const ark = isThere ? `ark:/12345/a${(at * 7_919) % count}` : `ark:/12345/none${at}`
      const proof = await proveFromFiles(source, verifier, ark)
      const report = await verifyNewest(proof, keys, { ark, nowMs: 0 })
      t.true(report.valid, JSON.stringify(report.steps))
      t.is(report.standing, isThere ? 'newest' : 'absent')
    }
    // Beside the files of the log: which is the newest, its checkpoint, tiles and a bucket.
    t.true(read.filter((path) => path.startsWith('map/')).length <= 40 * (2 + 3))
  })
}

test('files that were changed prove nothing', async (t) => {
  const { log, map, leaf } = logOf(700)
  const files = new Map<string, Uint8Array | number>([
    ...filesOf(log.entries),
    ...mapFiles(map, leaf, log.checkpoint()),
  ])
  const ark = 'ark:/12345/a5'
  const { read, source } = sourceOf(files)
  await proveFromFiles(source, verifier, ark)
  for (const path of new Set(read)) {
    const bytes = files.get(path)
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) continue
    for (const at of [0, 40, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const spoiled = Buffer.from(bytes)
      spoiled[at % bytes.length] = (spoiled[at % bytes.length] ?? 0) ^ 1
      for (const changed of [spoiled, spoiled.subarray(1)]) {
        const changedFiles = new Map(files).set(path, changed)
        const proof = await proveFromFiles(sourceOf(changedFiles).source, verifier, ark).catch(
          (error: unknown) => String((error as { code?: unknown }).code),
        )
        if (typeof proof === 'string') {
          t.regex(proof, /^(?:bad_|missing|key_changed)/, path)
          continue
        }
        const { valid, standing } = await verifyNewest(proof, keys, { ark, nowMs: 0 })
        // What was changed lies beside the way to the ARK.
        t.true(!valid || standing === 'newest', path)
      }
    }
  }
})

/** A mirror of a log that writes its map as files once in an hour; a look takes a third of it. */
async function openMapMirror(t: ExecutionContext, log: MappedLog) {
  const served = await serveLog(t, [])
  const dir = await makeTempDir(t)
  await Promise.all(['log', 'own'].map((name) => mkdir(join(dir, name))))
  const folder = new CopyFolder(join(dir, 'log'))
  const copy = new LogCopy({ folder, verifier, isWitnessed: false, published: () => undefined })
  const maps = await MapWatch.open(join(dir, 'own'), registry.origin)
  t.teardown(() => maps.close())
  const files = new MapFiles({ folder, verifier, maps, intervalMs: 3_600_000 })
  let nowMs = 0
  const followed = {
    source: httpLogSource(served.url, new AbortController().signal),
    vkey: verifierKey,
    verifier,
    folder: await makeTempDir(t),
    staleAfterMs: Number.MAX_SAFE_INTEGER,
    onProgress: () => undefined,
    keeper: copy,
  }
  const publish = async (known: KnownLog) => {
    await copy.publish(known)
    await files.publish((nowMs += 1_200_000))
  }
  const { look } = await openMonitor(t, served, { followed, publish })
  /** The map leaves of which there are files after a look. */
  const round = async () => {
    served.files = filesOf(log.entries).set('checkpoint', Buffer.from(log.checkpoint()))
    const { alarms, failures } = await look()
    t.deepEqual([alarms, failures], [[], []])
    return (await folder.mapLeaves()).toSorted((a, b) => a - b)
  }
  return { folder, round }
}

/** What a verification of a copy finds. */
async function problemsOf(t: ExecutionContext, folder: CopyFolder) {
  const maps = await MapWatch.open(await makeTempDir(t), registry.origin)
  t.teardown(() => maps.close())
  return (await auditCopy({ folder, verifier, maps, onProgress: () => undefined })).problems
}

function logWith(count: number): MappedLog {
  const log = new MappedLog()
  for (let at = 0; at < count; at += 1) log.state(`ark:/12345/a${at}`, 'registered', 1)
  return log
}

test('a mirror writes the map of a checkpoint that it shows, at most once an hour', async (t) => {
  const log = logWith(30)
  const { folder, round } = await openMapMirror(t, log)
  t.deepEqual(await round(), [])
  const first = log.addMapLeaf()
  t.deepEqual(await round(), [first])
  log.state('ark:/12345/a7', 'registered', 2)
  log.addMapLeaf()
  t.deepEqual(await round(), [first], 'it is not time yet')
  log.state('ark:/12345/a7', 'registered', 3)
  t.deepEqual(await round(), [first])
  t.deepEqual(await round(), [first], 'no map leaf ends the tree')
  const second = log.addMapLeaf()
  t.deepEqual(await round(), [first, second])
  for (let at = 0; at < 4; at += 1) await round()
  log.state('ark:/12345/a8', 'tombstoned', 1)
  const third = log.addMapLeaf()
  t.deepEqual(await round(), [second, third])
  t.deepEqual(await problemsOf(t, folder), [])
})

test('a mirror serves the map as files', async (t) => {
  const log = logWith(300)
  log.state('ark:/12345/a7', 'registered', 2)
  log.state('ark:/12345/a8', 'tombstoned', 1)
  log.addMapLeaf()
  const { folder, round } = await openMapMirror(t, log)
  await round()
  const service = await serveCopy(folder, { host: '127.0.0.1', port: 0 })
  t.teardown(() => service.close())
  const source = httpMapFiles(service.url, new AbortController().signal)
  const says = async (ark: string) => {
    const proof = await proveFromFiles(source, verifier, ark)
    const { valid, standing, version } = await verifyNewest(proof, keys, { ark, nowMs: 0 })
    return valid && `${standing} ${version}`
  }
  t.is(await says('ark:/12345/a7'), 'newest 2')
  t.is(await says('ark:/12345/a8'), 'withdrawn 1')
  t.is(await says('ark:/12345/a300'), 'absent null')
  const answer = await fetch(`${service.url}/map/newest`)
  t.is(answer.headers.get('cache-control'), 'no-cache')
  for (const name of ['map/5/tile/0', 'map/../state.json', 'map/newest.new']) {
    t.is((await fetch(`${service.url}/${name}`)).status, 404, name)
  }
})

test('a verification of a copy names a wrong map leaf', async (t) => {
  const log = logWith(300)
  log.addMapLeaf()
  const lie = log.addMapLeaf((table) => {
    table.delete('ark:/12345/a9')
    return table
  })
  log.addMapLeaf()
  const { folder, round } = await openMapMirror(t, log)
  await round()
  const [problem] = await problemsOf(t, folder)
  t.is(problem?.file, 'tile/entries/001.p/47')
  t.regex(problem?.message ?? '', new RegExp(`map leaf at entry ${lie} has 299 ARKs`))
})
