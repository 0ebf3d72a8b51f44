import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'

import { decodeJournalRow, journalKey } from '#actors/journal/pool.ts'
import { auditRegistry, type RegistryAuditReport } from '#actors/registry/audit.ts'
import { mapFact } from '#actors/works/receipts/statement.ts'
import { journalAuditThreads, logAuditThreads } from '#actors/registry/audit_threads.ts'
import { rebuildViews } from '#actors/registry/views.ts'
import { readConfig } from '#config/config.ts'
import { LogError } from '#log/tlog/errors.ts'
import type { Store } from '#log/store/store.ts'
import { audit } from '#log/store/audit.ts'
import { auditMap } from '#log/store/map_audit.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { addCommand, failUnusable, print, UnusableError } from '#src/cli/program.ts'
import { CountBar } from '#src/cli/progress.ts'
import { type PinnedLog, readInstance } from '#src/keeping/data_dir/instance.ts'

/** Told how far a part of an audit is. */
export type AuditProgress = (part: string, done: number, total: number) => void

/** Which store to audit: `pinned` is what the instance file says of its log, from outside of it. */
type StoreToAudit = {
  readonly dataDir: string
  readonly name: string
  readonly pinned: PinnedLog
  readonly rebuildsViews: boolean
  readonly progress: AuditProgress
}

/** What an audit of one store read and recomputed, as JSON; the store is sound without problems. */
export type StoreAudit = {
  readonly store: string
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: string
  readonly tiles: number
  readonly checkpoints: number
  readonly leaf_rows: number
  /** Tiles of leaf hashes that merkletreejs recomputed too, of how many there are. */
  readonly foreign_tiles: number
  readonly leaf_tiles: number
  /** Only of a registry. */
  readonly events?: number
  readonly statements?: number
  /** Versions whose metadata was erased: what is left of them is their hash. */
  readonly erased_versions?: number
  /** Leaves of the map of the log that were recomputed. */
  readonly map_leaves?: number
  readonly view_rows?: number
  readonly seconds: number
  readonly problems: readonly string[]
}

/**
 * Audits the log of a store and, in a registry, its journal, statements and views. The store must
 * not be open elsewhere. Errors: those of `openLevelStore`, and of the file system.
 */
export async function auditStore(target: StoreToAudit): Promise<StoreAudit> {
  const { dataDir, name, pinned } = target
  const dir = path.join(dataDir, name)
  const store = await openLevelStore(dir, { create: false })
  try {
    const startMs = performance.now()
    const log = await auditLog(store, dir, target)
    const isRegistry = pinned.receipt_public_key !== undefined
    const registry = isRegistry ? await auditAboveLog(store, log.tree_size, target) : undefined
    const map = isRegistry ? await auditLeaves(store, log.tree_size, target) : undefined
    const seconds = Math.round(performance.now() - startMs) / 1_000
    const found = [log, registry, map].flatMap((report) => report?.problems ?? [])
    return {
      store: name,
      origin: pinned.origin,
      ...log,
      ...registry,
      ...map,
      seconds,
      problems: found,
    }
  } finally {
    await store.close()
  }
}

async function auditLog(store: Store, dir: string, { name, pinned, progress }: StoreToAudit) {
  const { origin, log_public_key: publicKey } = pinned
  const vkey = formatVkey(origin, ed25519Type, Buffer.from(publicKey, 'hex'))
  await using opened = new AsyncDisposableStack()
  const threads = logAuditThreads(dir, os.availableParallelism())
  opened.defer(() => threads.close())
  const report = await audit(store, {
    origin,
    verifier: noteVerifier(vkey),
    threads,
    onProgress: (part, done, total) => progress(`${name} ${part}`, done, total),
  })
  return {
    tree_size: report.treeSize,
    root_hash: Buffer.from(report.rootHash).toString('hex'),
    tiles: report.tiles,
    checkpoints: report.checkpoints,
    leaf_rows: report.leafRows,
    foreign_tiles: report.foreignTiles,
    leaf_tiles: report.leafTiles,
    problems: report.problems,
  }
}

async function auditAboveLog(store: Store, treeSize: number, target: StoreToAudit) {
  try {
    const { faults, ...counts } = await auditJournal(store, treeSize, target)
    const { events, statements, erasedVersions, viewRows } = counts
    const problems = faults.map(({ where, message }) => `${where}: ${message}`)
    return {
      events,
      statements,
      erased_versions: erasedVersions,
      view_rows: viewRows,
      problems,
    }
  } catch (error) {
    if (!(error instanceof LogError) || error.code === 'store_failed') throw error
    return { problems: [error.message] }
  }
}

/** Recomputes the map leaves of a log. */
async function auditLeaves(
  store: Store,
  treeSize: number,
  { dataDir, name, pinned, progress }: StoreToAudit,
) {
  const folder = await mkdtemp(path.join(dataDir, 'audit-'))
  try {
    const { mapLeaves, problems } = await auditMap(store, {
      origin: pinned.origin,
      factOf: mapFact,
      treeSize,
      scratchDir: path.join(folder, 'map'),
      progress: (done, total) => progress(`${name} map`, done, total),
    })
    return { map_leaves: mapLeaves, problems }
  } catch (error) {
    if (!(error instanceof LogError) || error.code === 'store_failed') throw error
    return { problems: [error.message] }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function auditJournal(
  store: Store,
  treeSize: number,
  { dataDir, name, pinned, rebuildsViews, progress }: StoreToAudit,
): Promise<RegistryAuditReport> {
  const { position: events } = decodeJournalRow(store.get(journalKey))
  if (rebuildsViews) {
    await rebuildViews(store, events, (done, total) => progress(`${name} rebuild`, done, total))
  }
  // The views are projected anew beside the store, which may need as much room as the store has.
  const folder = await mkdtemp(path.join(dataDir, 'audit-'))
  const scratch = await openLevelStore(folder, { create: true })
  const threads = journalAuditThreads(path.join(dataDir, name), os.availableParallelism())
  try {
    return await auditRegistry(store, {
      threads,
      events,
      treeSize,
      firstReceiptKey: pinned.receipt_public_key ?? '',
      scratch,
      progress: (step, done, total) => progress(`${name} ${step}`, done, total),
    })
  } finally {
    await threads.close()
    await scratch.close()
    await rm(folder, { recursive: true })
  }
}

type AuditOptions = { readonly rebuildViews: boolean; readonly json: boolean }

/** A store does not hold what its log says; the problems have been printed. */
class AuditFailedError extends Error {
  readonly code = 'audit_failed'

  constructor(problems: number) {
    super(problems === 1 ? 'there is a problem' : `there are ${problems} problems`)
    this.name = 'AuditFailedError'
  }
}

const notes = `
A store has one owner: stop the server first.
Exit code: 0 there are no problems; 1 there are problems; 2 nothing could be checked.`

/** Adds `audit`, which recomputes everything that the stores of a data directory say. */
export function defineAudit(program: Command): void {
  addCommand(program, 'audit', 'recompute and check the stores: hashes, signed tree heads, views')
    .option('--rebuild-views', 'rebuild the views from the journal before the check', false)
    .addHelpText('after', notes)
    .action(auditDataDir)
}

async function auditDataDir(options: AuditOptions): Promise<void> {
  const bar = new CountBar()
  try {
    const dataDir = path.resolve(readConfig(process.env).DATA_DIR)
    const instance = await readInstance(dataDir)
    if (instance === undefined || instance.kind === 'witness') {
      throw new UnusableError(`${dataDir} has no registry and no log`)
    }
    let problems = 0
    for (const [name, pinned] of Object.entries(instance.logs)) {
      const report = await auditStore({
        dataDir,
        name,
        pinned,
        rebuildsViews: options.rebuildViews,
        progress: (part, done, total) => bar.show(part, done, total),
      }).finally(() => bar.stop())
      print(options, report, formatAudit(report))
      problems += report.problems.length
    }
    if (problems > 0) throw new AuditFailedError(problems)
  } catch (error) {
    if (error instanceof AuditFailedError) throw error
    failUnusable(error, options.json)
  }
}

function formatAudit(report: StoreAudit): string {
  const { events, statements, view_rows: viewRows, erased_versions: erased = 0, problems } = report
  const { map_leaves: mapLeaves = 0 } = report
  const { foreign_tiles: foreignTiles } = report
  const above =
    events === undefined
      ? []
      : [`${events} events, ${statements} statements, ${viewRows} view rows`]
  if (mapLeaves > 0) above.push(`${mapLeaves} map leaves, recomputed from the entries`)
  if (erased > 0) above.push(`${erased} versions without metadata, which was erased`)
  return [
    `${report.store}: ${report.origin}, ${report.tree_size} entries, read in ${report.seconds} s`,
    `  root          ${report.root_hash}`,
    `  recomputed    ${report.tiles} tiles, ${report.checkpoints} signed heads`,
    `  merkletreejs  ${foreignTiles} of ${report.leaf_tiles} tiles of leaves, all above them`,
    ...above.map((line) => `  journal       ${line}`),
    ...problems.map((problem) => `  PROBLEM       ${problem}`),
    ...(problems.length === 0 ? ['  all is as it should be'] : []),
  ].join('\n')
}
