import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import {
  type AdminClient,
  type RegistryPlace,
  registryPlace,
  withAdminClient,
} from '#src/cli/admin_client.ts'
import {
  type Batch,
  hashFile,
  type ImportFailure,
  type ImportSource,
  isCitationFile,
  lineBytesMax,
  openSource,
  readBatches,
  readCitationBatches,
} from '#src/cli/import_batch.ts'
import {
  ImportBar,
  type ImportProgress,
  ImportRun,
  newProgress,
  progressFile,
  readProgress,
  writeProgress,
} from '#src/cli/import_run.ts'
import { readLines } from '#src/cli/line_reader.ts'
import { addCommand, environmentOption, print, UnusableError } from '#src/cli/program.ts'

type ImportOptions = {
  readonly json: boolean
  readonly owner: string
  readonly environment: 'live' | 'sandbox'
  readonly allowDuplicate: boolean
  readonly restart: boolean
  readonly new: boolean
}

/** The registry that an import writes to. */
type ImportTarget = RegistryPlace & Pick<ImportOptions, 'environment'>

/** What an import did: time and rate of this run, counts of all runs over the file. */
type ImportReport = {
  readonly file: string
  readonly registry: ImportTarget
  readonly registered: number
  readonly failed: number
  readonly seconds: number
  readonly works_per_second: number
  /** The failures of this run, by line. */
  readonly failures: readonly ImportFailure[]
}

/** Some lines of the file were not registered; they have been printed. */
class LinesFailedError extends Error {
  readonly code = 'lines_failed'
}

/** How often the progress is written down and shown. */
const progressEveryMs = 200
const failuresShownMax = 50

/** Adds `import`, which registers the works of a file whether or not a server is running. */
export function defineImport(program: Command): void {
  addCommand(program, 'import', 'register the works of a file; goes on where it was interrupted')
    .argument(
      '<file>',
      'a .bib or .ris file, or a work a line (a JSON object as for POST /v1/works), plain or gzip',
    )
    .option('--owner <owner>', 'who registers: org:<slug>, person:<ppid> or operator', 'operator')
    .addOption(environmentOption('the registry to write to'))
    .option('--allow-duplicate', 'register works whose DOI and title are registered already', false)
    .option('--restart', 'forget how far an earlier run came and begin with the first line', false)
    .option('--new', 'make a new registry if DATA_DIR holds none', false)
    .action(importFile)
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const config = readConfig(process.env)
  const identity = { ...options, fileHash: await hashFile(file) }
  const before = await targetOf(config, options)
  const stateFile = progressFile(config.DATA_DIR, identity)
  const earlier = options.restart ? newProgress() : await readProgress(stateFile)
  if (earlier.complete) {
    const text = `${file} was imported before. Use --restart to register its works once more.`
    return print(options, reportOf(file, before, earlier, earlier, [], 0), text)
  }
  const importAll = async (client: AdminClient) => {
    // Asked again: a registry that is new has its origin only now.
    const registry = await targetOf(config, options)
    if (!options.json) process.stderr.write(formatTarget(registry))
    return runImport({ client, file, registry, stateFile, earlier, ...options })
  }
  const report = await withAdminClient(config, importAll, { begins: options.new })
  print(options, report, formatReport(report))
  if (report.failures.length > 0) {
    throw new LinesFailedError(`${report.failed} lines of ${file} were not registered.`)
  }
}

/** The registry to write to; UnusableError if there is none and none is to be made. */
async function targetOf(config: Config, options: ImportOptions): Promise<ImportTarget> {
  const place = await registryPlace(config)
  if (place.origin !== null || options.new) return { ...place, environment: options.environment }
  throw new UnusableError(
    `${place.data_dir} holds no registry, and nothing was imported. Set DATA_DIR to the folder ` +
      'of one, or make a new one there with --new.',
  )
}

function formatTarget({ environment, origin, data_dir: folder }: ImportTarget): string {
  return `arklog: works go to the ${environment} registry of ${origin} in ${folder}\n`
}

type RunOptions = ImportOptions & {
  readonly client: AdminClient
  readonly registry: ImportTarget
  readonly file: string
  readonly stateFile: string
  readonly earlier: ImportProgress
}

async function runImport(options: RunOptions): Promise<ImportReport> {
  const { file, registry, stateFile, earlier } = options
  const source = await openSource(file)
  const run = new ImportRun(options)
  const bar = new ImportBar(source, source.bytes, earlier)
  const startMs = performance.now()
  let saved = Promise.resolve()
  const saving = setInterval(() => {
    bar.show(run.progress)
    saved = saved.then(() => writeProgress(stateFile, run.progress))
  }, progressEveryMs)
  try {
    await run.send(batchesOf(file, source, earlier.lines_done))
    bar.show(run.progress)
  } finally {
    clearInterval(saving)
    bar.stop()
    await saved
    await writeProgress(stateFile, run.progress)
  }
  const elapsedMs = performance.now() - startMs
  return reportOf(file, registry, earlier, run.progress, run.failures, elapsedMs)
}

function batchesOf(file: string, source: ImportSource, done: number): AsyncGenerator<Batch> {
  if (isCitationFile(file)) return readCitationBatches(file, done)
  return readBatches(readLines(source.text, lineBytesMax), done)
}

function reportOf(
  file: string,
  registry: ImportTarget,
  earlier: ImportProgress,
  { registered, failed }: ImportProgress,
  failures: readonly ImportFailure[],
  elapsedMs: number,
): ImportReport {
  const seconds = Math.round(elapsedMs) / 1_000
  const works = registered - earlier.registered
  const works_per_second = seconds === 0 ? 0 : Math.round(works / seconds)
  return { file, registry, registered, failed, seconds, works_per_second, failures }
}

function formatReport(report: ImportReport): string {
  const { registered, failed, seconds, works_per_second: rate, failures } = report
  const lines = failures
    .slice(0, failuresShownMax)
    .map(({ line, status, error, message }) => `line ${line}: ${status} ${error}: ${message}`)
  const unshown = failures.length - lines.length
  if (unshown > 0) lines.push(`… and ${unshown} more; --json lists them.`)
  const total = `${registered} works registered, ${failed} lines failed`
  return [...lines, `${total}; this run took ${seconds} s, ${rate} works/s.`].join('\n')
}
