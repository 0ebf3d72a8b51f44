import path from 'node:path'
import type { Command } from 'commander'

import { decodeJournalRow, journalKey } from '#actors/pool.ts'
import { rebuildViews } from '#actors/view_schema.ts'
import { readConfig } from '#config/config.ts'
import { audit, type AuditReport } from '#log/audit.ts'
import { noteVerifier } from '#log/ed25519.ts'
import { openLevelStore } from '#log/level_store.ts'
import type { Store } from '#log/store.ts'
import { ed25519Type, formatVkey } from '#log/vkey.ts'
import { CountBar } from '#src/cli/count_bar.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { failUnusable, UnusableError } from '#src/cli/unusable.ts'
import { type PinnedLog, readInstance } from '#src/instance.ts'

type AuditOptions = { readonly rebuildViews: boolean; readonly json: boolean }

/** What an audit of one log found, and how fast. `views_rebuilt` counts journal events. */
type LogAudit = {
  readonly log: string
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: string
  readonly tiles: number
  readonly checkpoints: number
  readonly leaf_rows: number
  readonly foreign_tiles: number
  readonly leaf_tiles: number
  readonly seconds: number
  readonly views_rebuilt: number
  readonly problems: readonly string[]
}

/** A store does not hold what its log says; the problems have been printed. */
class AuditFailedError extends Error {
  readonly code = 'audit_failed'

  constructor(problems: number) {
    super(problems === 1 ? 'there is a problem' : `there are ${problems} problems`)
    this.name = 'AuditFailedError'
  }
}

const exitCodes = `
The store has one owner: stop the server first.
Exit code: 0 all is as it should be; 1 there are problems; 2 nothing could be checked.`

/** Adds `audit`, which recomputes everything that the stores of a data directory say. */
export function defineAudit(program: Command): void {
  addCommand(program, 'audit', 'recompute every hash, tile and signed head from the entries')
    .option('--rebuild-views', 'make all views anew from the journal first', false)
    .addHelpText('after', exitCodes)
    .action(auditDataDir)
}

async function auditDataDir(options: AuditOptions): Promise<void> {
  const bar = new CountBar()
  try {
    const dataDir = path.resolve(readConfig(process.env).DATA_DIR)
    const instance = await readInstance(dataDir)
    if (instance === undefined) throw new UnusableError(`${dataDir} holds no registry and no log`)
    let problems = 0
    for (const [name, pinned] of Object.entries(instance.logs)) {
      const rebuilds = options.rebuildViews && instance.kind === 'registry'
      const report = await auditLog(path.join(dataDir, name), name, pinned, rebuilds, bar)
      bar.stop()
      print(options, report, formatAudit(report))
      problems += report.problems.length
    }
    if (problems > 0) throw new AuditFailedError(problems)
  } catch (error) {
    bar.stop()
    if (error instanceof AuditFailedError) throw error
    failUnusable(error, options.json)
  }
}

async function auditLog(
  storeDir: string,
  log: string,
  { origin, log_public_key: publicKey }: PinnedLog,
  rebuilds: boolean,
  bar: CountBar,
): Promise<LogAudit> {
  const store = await openLevelStore(storeDir, { create: false })
  try {
    const views_rebuilt = rebuilds ? await rebuild(store, log, bar) : 0
    const vkey = formatVkey(origin, ed25519Type, Buffer.from(publicKey, 'hex'))
    const startMs = performance.now()
    const report = await audit(store, {
      origin,
      verifier: noteVerifier(vkey),
      onProgress: (part, done, total) => bar.show(`${log} ${part}`, done, total),
    })
    const seconds = Math.round(performance.now() - startMs) / 1_000
    return { log, origin, ...describe(report), seconds, views_rebuilt, problems: report.problems }
  } finally {
    await store.close()
  }
}

async function rebuild(store: Store, log: string, bar: CountBar): Promise<number> {
  const { position } = decodeJournalRow(store.get(journalKey))
  await rebuildViews(store, position, (done, total) => bar.show(`${log} views`, done, total))
  return position
}

function describe(report: AuditReport) {
  return {
    tree_size: report.treeSize,
    root_hash: Buffer.from(report.rootHash).toString('hex'),
    tiles: report.tiles,
    checkpoints: report.checkpoints,
    leaf_rows: report.leafRows,
    foreign_tiles: report.foreignTiles,
    leaf_tiles: report.leafTiles,
  }
}

function formatAudit(report: LogAudit): string {
  const { tree_size: treeSize, foreign_tiles: foreignTiles, leaf_tiles: leafTiles } = report
  return [
    `${report.log}: ${report.origin}, ${treeSize} entries, ${report.seconds} s`,
    `  root         ${report.root_hash}`,
    `  recomputed   ${report.tiles} tiles, ${report.checkpoints} signed heads`,
    `  merkletreejs ${foreignTiles} of ${leafTiles} tiles of leaves, and all above them`,
    ...(report.views_rebuilt > 0
      ? [`  views        of ${report.views_rebuilt} events rebuilt`]
      : []),
    ...report.problems.map((problem) => `  PROBLEM      ${problem}`),
    report.problems.length === 0 ? '  all is as it should be' : '',
  ]
    .join('\n')
    .trimEnd()
}
