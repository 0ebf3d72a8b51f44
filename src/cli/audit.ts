import path from 'node:path'
import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import { auditStore, type StoreAudit } from '#src/cli/audit_store.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { addCommand, failUnusable, print, UnusableError } from '#src/cli/program.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'

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
Exit code: 0 all is as it should be; 1 there are problems; 2 nothing could be checked.`

/** Adds `audit`, which recomputes everything that the stores of a data directory say. */
export function defineAudit(program: Command): void {
  addCommand(program, 'audit', 'recompute what the stores say: hashes, signed heads, views')
    .option(
      '--rebuild-views',
      'make the views anew from the journal before they are checked',
      false,
    )
    .addHelpText('after', notes)
    .action(auditDataDir)
}

async function auditDataDir(options: AuditOptions): Promise<void> {
  const bar = new CountBar()
  try {
    const dataDir = path.resolve(readConfig(process.env).DATA_DIR)
    const instance = await readInstance(dataDir)
    if (instance === undefined || instance.kind === 'witness') {
      throw new UnusableError(`${dataDir} holds no registry and no log`)
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

function formatAudit(audit: StoreAudit): string {
  const { events, statements, view_rows: viewRows, erased_versions: erased = 0, problems } = audit
  const above =
    events === undefined
      ? []
      : [`${events} events, ${statements} statements, ${viewRows} view rows`]
  if (erased > 0) above.push(`${erased} versions without metadata, which was erased`)
  return [
    `${audit.store}: ${audit.origin}, ${audit.tree_size} entries, read in ${audit.seconds} s`,
    `  root          ${audit.root_hash}`,
    `  recomputed    ${audit.tiles} tiles, ${audit.checkpoints} signed heads`,
    `  merkletreejs  ${audit.foreign_tiles} of ${audit.leaf_tiles} tiles of leaves, all above them`,
    ...above.map((line) => `  journal       ${line}`),
    ...problems.map((problem) => `  PROBLEM       ${problem}`),
    ...(problems.length === 0 ? ['  all is as it should be'] : []),
  ].join('\n')
}
