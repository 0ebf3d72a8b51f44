import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import type { TrustedKeys } from '#src/client/verify/types.ts'
import {
  loadUntilGone,
  noteCheckpoint,
  Promised,
  type PromisedWork,
  register,
} from '#test/scenario/_kill_load.ts'
import {
  edgeThreadsOf,
  firstKey,
  newDataDir,
  runArklog,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'
import { readLog } from '#test/scenario/_tlog_client.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

// A kill comes after so many acknowledgements, at most, and then so many milliseconds.
const acknowledgementsMax = 300
const delayMsMax = 20

/** One registry through all its lives. */
type Run = {
  readonly t: ExecutionContext
  readonly settings: Settings
  readonly promised: Promised
  readonly random: () => number
  readonly key: string
  readonly trusted: TrustedKeys
  readonly vkey: string
}

/**
 * Runs one registry through `rounds` lives, each of them ended by kill -9 under load, and holds it
 * to every promise after each: nothing acknowledged is lost, no size has two roots, a request that
 * is sent again under its Idempotency-Key registers once, and the audit is clean. `seed` decides
 * what the clients ask for and when the kill comes.
 */
export async function runKillRounds(
  t: ExecutionContext,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<void> {
  t.log(`seed ${seed}`)
  // A small write buffer lets kills fall into the making of table files, too.
  const settings = {
    DATA_DIR: await newDataDir(t),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    STORE_WRITE_BUFFER_BYTES: String(1024 * 1024),
  }
  let server = await startServer(t, settings)
  const run = await beginRun(t, server, settings, seed)
  for (let round = 0; round < rounds; round += 1) {
    const before = new Set(run.promised.works.keys())
    await killUnderLoad(run, server, round)
    await audit(run)
    server = await startServer(t, { ...settings, ...edgeThreadsOf(round) })
    await resendUnanswered(run, server)
    const fresh = [...run.promised.works].filter(([ark]) => !before.has(ark))
    await checkWorks(run, server, fresh)
  }
  await checkAll(run, server)
  const { works, requests, roots } = run.promised
  t.log(`${rounds} kills, ${works.size} works, ${requests.length} requests, ${roots.size} roots`)
  t.is((await server.end('SIGTERM')).code, 0)
}

async function beginRun(
  t: ExecutionContext,
  server: Server,
  settings: Settings,
  seed: number,
): Promise<Run> {
  const { body: keys } = await request<{ log: { vkey: string } }>(
    server,
    '/.well-known/svc-keys.json',
  )
  const { live } = await parseKeyList(JSON.stringify(keys))
  return {
    t,
    settings,
    promised: new Promised(),
    random: seededRandom(seed),
    key: firstKey(server),
    trusted: live,
    vkey: keys.log.vkey,
  }
}

async function killUnderLoad(run: Run, server: Server, round: number): Promise<void> {
  const { t, promised, random, key } = run
  const acknowledgements = 1 + Math.floor(random() * acknowledgementsMax)
  const delayMs = random() * delayMsMax
  const { promise: loaded, resolve } = Promise.withResolvers<void>()
  let count = 0
  promised.acknowledged = () => {
    count += 1
    if (count === acknowledgements) resolve()
  }
  const load = loadUntilGone({ server, key, promised, random, life: `life ${round}` })
  await Promise.race([loaded, load])
  await setTimeout(delayMs)
  t.is((await server.end('SIGKILL')).signal, 'SIGKILL', 'it had not ended by itself')
  await load
  const unanswered = promised.requests.filter(({ arks }) => arks === undefined).length
  const moment = `${acknowledgements} acknowledgements and ${delayMs.toFixed(1)} ms`
  t.log(`round ${round}: killed after ${moment}, ${unanswered} registrations unanswered`)
}

async function audit({ t, settings }: Run): Promise<void> {
  const { code, stdout, stderr } = await runArklog(t, ['audit', '--json'], settings)
  t.is(code, 0, `${stdout}${stderr}`)
  const reports = stdout.trimEnd().split('\n')
  t.is(reports.length, 2)
  for (const report of reports) t.deepEqual(JSON.parse(report).problems, [], report)
}

/** Sends again what had no answer, and a tenth of what had one: the answer is one for ever. */
async function resendUnanswered(run: Run, server: Server): Promise<void> {
  const { promised, key, random } = run
  const again = promised.requests.filter(({ arks }) => arks === undefined || random() < 0.1)
  for (const times of ['once', 'twice']) {
    await forEachOf(again, async (keyed) => {
      const arks = await register({ server, key, promised }, keyed)
      assert.equal(new Set(arks).size, keyed.works.length, times)
    })
  }
}

async function checkWorks(
  run: Run,
  server: Server,
  works: Iterable<readonly [string, PromisedWork]>,
): Promise<void> {
  await noteCheckpoint(server, run.promised)
  await forEachOf(works, ([ark, work]) => checkWork(run, server, ark, work))
}

async function checkWork(
  { promised, trusted }: Run,
  server: Server,
  ark: string,
  { versions, withdrawal }: PromisedWork,
): Promise<void> {
  for (const [version, metadataHash] of versions) {
    const path = `/api/v1/receipts/${ark}/v${version}`
    const { status, body } = await request<Receipt>(server, path)
    assert.equal(status, 200, `version ${version} of ${ark} is lost`)
    assert.deepEqual([body.ark, body.version, body.metadata_hash], [ark, version, metadataHash])
    const { valid, steps } = await verifyReceipt(body, trusted, {})
    assert(valid, JSON.stringify(steps))
    promised.noteRoot(body.chain_proof.tree_size, body.chain_proof.merkle_root)
  }
  const { status } = await request(server, `/api/v1/resolve/${ark}`)
  const allowed = { none: [200], asked: [200, 410], acknowledged: [410] }[withdrawal]
  assert(allowed.includes(status), `${ark} answers ${status}, its withdrawal is ${withdrawal}`)
}

type Receipt = {
  readonly ark: string
  readonly version: number
  readonly metadata_hash: string
  readonly chain_proof: { readonly tree_size: number; readonly merkle_root: string }
}

/** At the end: every work once more, the journal from its beginning, and every root ever served. */
async function checkAll(run: Run, server: Server): Promise<void> {
  const { promised, vkey } = run
  await checkWorks(run, server, promised.works)
  await checkFeed(run, server)
  const { entries, treeSize } = await readLog(`${server.started.local_url}/log`, vkey)
  const roots = rootsOf(entries)
  for (const [size, root] of promised.roots) {
    assert(size <= treeSize, `the log was ${size} entries long and is ${treeSize}`)
    assert.equal(roots[size], root, `the entries give another root for size ${size}`)
  }
}

/** Every title was registered exactly once, and the versions of every work have no gap. */
async function checkFeed({ promised, key }: Run, server: Server): Promise<void> {
  const arksByTitle = new Map<string, string[]>()
  const versions = new Map<string, number>()
  for (let after = 0, isMore = true; isMore; ) {
    const { body } = await request<Feed>(server, `/v1/changes?after=${after}&limit=1000`, { key })
    for (const { type, ark, version, metadata } of body.changes) {
      if (type === 'work.registered') {
        const title = metadata?.work_title ?? ''
        arksByTitle.set(title, [...(arksByTitle.get(title) ?? []), ark])
      }
      if (!type.startsWith('work.') || type === 'work.withdrawn') continue
      assert.equal(version, (versions.get(ark) ?? 0) + 1, `the versions of ${ark} have a gap`)
      versions.set(ark, version)
    }
    isMore = body.next > after
    after = body.next
  }
  const asked = promised.requests.flatMap(({ works, arks }) =>
    works.map(({ work_title: title = '' }, index) => [title, [arks?.[index]]] as const),
  )
  assert.deepEqual(arksByTitle, new Map(asked), 'each work was registered exactly once')
}

type Feed = {
  readonly changes: readonly {
    readonly type: string
    readonly ark: string
    readonly version: number
    readonly metadata: { readonly work_title: string } | null
  }[]
  readonly next: number
}

/** The root of every size of a log, in hex, from the peaks of its tree (RFC 6962 §2.1). */
function rootsOf(entries: readonly Buffer[]): string[] {
  const roots = [sha256().toString('hex')]
  const peaks: { readonly hash: Buffer; readonly leaves: number }[] = []
  for (const entry of entries) {
    let peak = { hash: sha256(Buffer.of(0), entry), leaves: 1 }
    while (peaks.at(-1)?.leaves === peak.leaves) {
      const left = peaks.pop()?.hash ?? peak.hash
      peak = { hash: sha256(Buffer.of(1), left, peak.hash), leaves: 2 * peak.leaves }
    }
    peaks.push(peak)
    const hashes = peaks.map(({ hash }) => hash)
    const root = hashes.reduceRight((right, left) => sha256(Buffer.of(1), left, right))
    roots.push(root.toString('hex'))
  }
  return roots
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
