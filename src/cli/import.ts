import { setFlagsFromString } from 'node:v8'
import { type Command, InvalidArgumentError, Option } from 'commander'

import { nearestName } from '#actors/values/nearest_name.ts'
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
  type ImportFailure,
  type ImportNote,
  readBatches,
} from '#src/cli/import_batch.ts'
import {
  fileFormat,
  type ImportFormat,
  readCollection,
  readEntries,
} from '#src/cli/import_entries.ts'
import { type FieldReport, newFieldReport, writeFieldReport } from '#src/cli/import_report.ts'
import {
  ImportBar,
  type ImportChange,
  type ImportProgress,
  ImportRun,
  keepingProgress,
  newProgress,
  progressFile,
  readProgress,
} from '#src/cli/import_run.ts'
import {
  type Collection,
  hashSource,
  type ImportSource,
  openCollection,
  openSource,
} from '#src/cli/import_source.ts'
import { readRegistrantNames, type Registrant } from '#src/cli/registrant_names.ts'
import { addCommand, environmentOption, print, printable, UnusableError } from '#src/cli/program.ts'
import {
  type ColumnChoices,
  type ColumnTarget,
  columnTargets,
  type TableColumn,
  templateColumns,
} from '#src/discovery/citation_files/csv_columns.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { agencies, type Agency } from '#src/discovery/citation_files/record_line.ts'
import { assert } from '#log/tlog/errors.ts'
import type { EntryExtent } from '#src/use_cases/work_import.ts'

/** The options of an import. */
export type ImportOptions = {
  /** Whose dump it is, and the organizations whose records it has. */
  readonly migration?: {
    readonly from: Agency
    readonly names: ReadonlyMap<string, Registrant>
  }
  readonly json: boolean
  readonly owner: string
  readonly environment: 'live' | 'sandbox'
  readonly allowDuplicate: boolean
  readonly update: boolean
  readonly restart: boolean
  readonly new: boolean
  readonly strict: boolean
  readonly dryRun: boolean
  readonly column: ColumnChoices
  readonly template?: 'csv'
  readonly report?: string
}

/** The registry that an import writes to. */
type ImportTarget = RegistryPlace & Pick<ImportOptions, 'environment'>

/** What an import did: time and rate of this run, counts of all runs over the file. */
type ImportReport = {
  readonly file: string
  readonly registry: ImportTarget
  /** Whether nothing was written, and the counts are of what would be. */
  readonly dry_run: boolean
  readonly registered: number
  readonly changed: number
  /** Works that were as their entries say already. */
  readonly unchanged: number
  readonly failed: number
  /** Entries that are left out on purpose, such as DOIs that nobody can find. */
  readonly left_out: number
  readonly seconds: number
  readonly works_per_second: number
  /** The failures of this run, by line. */
  readonly failures: readonly ImportFailure[]
  /** What became of things that the entries of this run say, by line, and how many of each kind. */
  readonly notes: readonly ShownNote[]
  readonly note_counts: Readonly<Record<string, number>>
  /** Notes that say that something is lost. */
  readonly losses: number
  /** What became of the fields of the file, in all runs over it. */
  readonly fields: FieldReport
  /** The works that this run has changed, by line. */
  readonly changes: readonly ImportChange[]
  /** The columns of a table, and what is read of each. */
  readonly columns?: readonly TableColumn[]
}

/** A note as `--json` has it. */
type ShownNote = Omit<ImportNote, 'isLoss'> & { readonly is_loss: boolean }

/** Some lines of the file were not registered; they have been printed. */
class LinesFailedError extends Error {
  readonly code = 'lines_failed'
}

/** Something of the file would be lost, which `--strict` refuses; nothing was written. */
class SomethingLostError extends Error {
  readonly code = 'something_lost'
}

const failuresShownMax = 50
const notesShownMax = 200

/** Adds `import`, which registers the works of a file whether or not a server is running. */
export function defineImport(program: Command): void {
  addCommand(program, 'import', 'register the works of a file; resumes after an interruption')
    .argument(
      '[file]',
      'BibTeX, RIS, CSV, XML (DataCite, Crossref, JATS, MODS), JSON of DataCite or Crossref, ' +
        'CSL-JSON or schema.org; or one work per line (JSON as for POST /v1/works); plain, ' +
        'gzip or zstd; or a folder or a tar archive of such files, such as a dump',
    )
    .option(
      '--owner <owner>',
      'owner of the works: org:<slug>, person:<ppid> or operator',
      'operator',
    )
    .addOption(environmentOption('environment to write to'))
    .option(
      '--allow-duplicate',
      'also register works whose DOI and title are already registered',
      false,
    )
    .option(
      '--update',
      'update works that already have the DOI of an entry; register the others',
      false,
    )
    .option('--restart', 'start from the first line, not where an earlier run stopped', false)
    .option('--new', 'create a registry if DATA_DIR has none', false)
    .option('--report <file>', 'write a report on all fields, with examples, to a file')
    .option('--dry-run', 'check everything and show what would be done, but write nothing', false)
    .option('--strict', 'write nothing if any information in the file would be lost', false)
    .option('--column <name=field>', 'the field in a column of a table; repeatable', column, {})
    .addOption(new Option('--template <format>', 'only print a table to fill in').choices(['csv']))
    .action(importFile)
}

/** Adds what one `--column` says to what others said. */
function column(text: string, others: ColumnChoices): ColumnChoices {
  const at = text.lastIndexOf('=')
  const [name, target] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1) throw new InvalidArgumentError('Write it as "Titel=work_title".')
  if (target === '') return { ...others, [name]: null }
  if (columnTargets.includes(target as ColumnTarget)) {
    return { ...others, [name]: target as ColumnTarget }
  }
  const nearest = nearestName(target, columnTargets)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  throw new InvalidArgumentError(
    `A column cannot be "${target}".${hint} It can be ${columnTargets.join(', ')}.`,
  )
}

async function importFile(
  file: string | undefined,
  options: ImportOptions,
  command: Command,
): Promise<void> {
  if (options.template !== undefined) {
    // By the mark at its beginning programs for tables know that it is UTF-8.
    process.stdout.write(`\ufeff${csvRow(templateColumns)}`)
    return
  }
  if (file === undefined) return command.error("error: missing required argument 'file'")
  return importSource(file, options)
}

/**
 * Imports a file, a folder or an archive, or goes on with that, and prints what became of it.
 * LinesFailedError if entries were not registered; UnusableError.
 */
export async function importSource(file: string, options: ImportOptions): Promise<void> {
  // Of a long file little is held at a time: without this, V8 lets the heap grow to twice of that.
  setFlagsFromString('--heap-growing-percent=40')
  const config = readConfig(process.env)
  const { column: choices, dryRun, migration } = options
  const identity = {
    ...options,
    choices,
    fileHash: await hashSource(file),
    migration: migration && JSON.stringify([migration.from, ...migration.names]),
  }
  const before = await targetOf(config, options)
  const stateFile = progressFile(config.DATA_DIR, identity)
  const isNew = options.restart || dryRun
  const earlier = isNew ? newProgress() : await readProgress(stateFile)
  const work = new ImportWork({ file, stateFile, earlier, options, registry: before })
  if (earlier.complete) {
    const text = `${file} was imported before. Use --restart to register its works once more.`
    return print(options, work.report(undefined, 0), text)
  }
  await work.open()
  if (options.strict) await work.refuseLosses()
  const importAll = async (client: AdminClient) => {
    // Asked again: a registry that is new has its origin only now.
    const registry = await targetOf(config, options)
    if (!options.json) process.stderr.write(formatTarget(registry, dryRun))
    return work.run(client, registry)
  }
  const report = await withAdminClient(config, importAll, { begins: options.new })
  if (options.report !== undefined) await writeFieldReport(options.report, report)
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
    `${place.data_dir} has no registry, so nothing was imported. Set DATA_DIR to the folder ` +
      'of one, or create one there with --new.',
  )
}

function formatTarget(
  { environment, origin, data_dir: folder }: ImportTarget,
  isDryRun: boolean,
): string {
  const go = isDryRun ? 'would go' : 'go'
  return `arklog: works ${go} to the ${environment} registry of ${origin} in ${folder}\n`
}

type WorkOptions = {
  readonly file: string
  readonly stateFile: string
  readonly earlier: ImportProgress
  readonly options: ImportOptions
  readonly registry: ImportTarget
}

/** The import of one file. */
class ImportWork {
  readonly #given: WorkOptions
  #registry: ImportTarget
  #format: ImportFormat | undefined
  #isCollection = false
  #columns: readonly TableColumn[] | undefined

  constructor(given: WorkOptions) {
    this.#given = given
    this.#registry = given.registry
  }

  /** Looks what the file is. */
  async open(): Promise<void> {
    const { file, options } = this.#given
    const { column: choices } = options
    this.#isCollection = (await openCollection(file)) !== undefined
    if (!this.#isCollection) this.#format = await fileFormat(file)
    if (this.#format !== 'csv' && Object.keys(choices).length > 0) {
      throw new UnusableError(`${this.#given.file} is not a table: it has no columns.`)
    }
  }

  /** Reads the whole file, and throws if it says anything that would be lost. */
  async refuseLosses(): Promise<void> {
    const { file, options } = this.#given
    const run = new ImportRun({ ...this.#runOptions, earlier: newProgress(), client: undefined })
    await run.send(this.#batches(await this.#openSource(), newProgress()))
    if (run.noteCounts.losses === 0) return
    const report = this.report(run, 0)
    print(options, report, formatNotes(report).join('\n'))
    const { losses } = report
    throw new SomethingLostError(
      `${count(losses, 'thing')} in ${file} would be lost, and nothing was imported. ` +
        'Correct the file, or import it without --strict.',
    )
  }

  get #runOptions() {
    const { earlier, options } = this.#given
    const { owner, environment, allowDuplicate, dryRun } = options
    const updates = options.update ? extentOf(this.#format) : undefined
    const shared = { owner, environment, allowDuplicate, dryRun, earlier, updates }
    if (options.migration === undefined) return shared
    const { names, from } = options.migration
    return { ...shared, names, from, relates: true }
  }

  async run(client: AdminClient, registry: ImportTarget): Promise<ImportReport> {
    this.#registry = registry
    const { stateFile, earlier, options } = this.#given
    const source = await this.#openSource()
    const run = new ImportRun({ ...this.#runOptions, client })
    const bar = new ImportBar(source, source.bytes, earlier)
    const startMs = performance.now()
    const kept = options.dryRun ? undefined : stateFile
    try {
      await keepingProgress(run, { file: kept, seen: (progress) => bar.show(progress) }, () =>
        run.send(this.#batches(source, earlier)),
      )
    } finally {
      bar.stop()
    }
    const elapsedMs = performance.now() - startMs
    if (options.migration !== undefined && !options.dryRun) await this.#relate(client)
    return this.report(run, elapsedMs)
  }

  /**
   * Goes through what is related to other works once more, now that all of them are here: those
   * that come later in a dump are found only then.
   */
  async #relate(client: AdminClient): Promise<void> {
    const { stateFile } = this.#given
    const file = `${stateFile}.relations`
    const earlier = await readProgress(file)
    if (earlier.complete) return
    const run = new ImportRun({ ...this.#runOptions, relatedOnly: true, earlier, client })
    await keepingProgress(run, { file }, async () =>
      run.send(this.#batches(await this.#openSource(), earlier)),
    )
  }

  async #openSource(): Promise<ImportSource | Collection> {
    const { file } = this.#given
    const collection = this.#isCollection ? await openCollection(file) : undefined
    return collection ?? openSource(file)
  }

  #batches(
    source: ImportSource | Collection,
    { lines_done: done, lines_before: before = 0, files_done = 0 }: ImportProgress,
  ): AsyncGenerator<Batch> {
    if ('files' in source) return readBatches(readCollection(source, files_done), { done, before })
    const { file, options } = this.#given
    const format = this.#format
    assert(format !== undefined, 'the format of a file of its own is known')
    const seen = (columns: readonly TableColumn[]) => this.#see(columns)
    const reading = { format, choices: options.column, seen }
    return readBatches(readEntries(file, source, reading), { done, before: 0 })
  }

  /** Tells what is not read of a table; UnusableError if a column that was named is not there. */
  #see(columns: readonly TableColumn[]): void {
    const { column: choices, json } = this.#given.options
    const names = columns.map(({ name }) => name)
    const missing = Object.keys(choices).find((name) => !names.includes(name))
    if (missing !== undefined) {
      const nearest = nearestName(missing, names)
      const hint = nearest === undefined ? '' : ` Did you mean “${nearest}”?`
      throw new UnusableError(`The table has no column “${missing}”.${hint}`)
    }
    const isFirst = this.#columns === undefined
    this.#columns = columns
    if (json || !isFirst) return
    for (const { name, target, isDerived, nearest } of columns) {
      if (target !== undefined || isDerived || name === '' || name in choices) continue
      const hint = `name it with --column "${name}=${nearest ?? 'FIELD'}" if it is one`
      process.stderr.write(printable(`arklog: nothing is read of the column “${name}”: ${hint}\n`))
    }
  }

  report(run: ImportRun | undefined, elapsedMs: number): ImportReport {
    const { file, earlier, options } = this.#given
    const { registered, changed = 0, unchanged = 0, failed } = run?.progress ?? earlier
    const seconds = Math.round(elapsedMs) / 1_000
    const works = worksIn({ registered, changed, unchanged }) - worksIn(earlier)
    const { left_out = 0 } = run?.progress ?? earlier
    const { kinds = {}, losses = 0 } = run?.noteCounts ?? {}
    return {
      file,
      registry: this.#registry,
      dry_run: options.dryRun,
      registered,
      changed,
      unchanged,
      failed,
      left_out,
      seconds,
      works_per_second: seconds === 0 ? 0 : Math.round(works / seconds),
      failures: run?.failures ?? [],
      notes: (run?.notes ?? []).map(({ isLoss, ...note }) => ({ ...note, is_loss: isLoss })),
      note_counts: kinds,
      losses,
      fields: run?.report ?? earlier.report ?? newFieldReport(),
      changes: run?.changes ?? [],
      ...(this.#columns && { columns: this.#columns }),
    }
  }
}

function worksIn(counts: Pick<ImportProgress, 'registered' | 'changed' | 'unchanged'>): number {
  const { registered, changed = 0, unchanged = 0 } = counts
  return registered + changed + unchanged
}

/** A record says all of its work; a row of a table, or an entry, what its format has. */
function extentOf(format: ImportFormat | undefined): EntryExtent {
  return format === 'csv' || format === 'bibtex' || format === 'ris' ? 'said' : 'whole'
}

function formatReport(report: ImportReport): string {
  const { registered, changed, unchanged, failed, seconds, dry_run } = report
  const { works_per_second: rate, left_out } = report
  const failures = report.failures.map(({ status, error, message, ...place }) => {
    return `${placeOf(place)}: ${status} ${error}: ${message}`
  })
  const would = dry_run ? ' would be' : ''
  const known = changed + unchanged
  const outcomes = [
    registered === 0 && known > 0 ? '' : `${count(registered, 'work')}${would} registered`,
    changed === 0 ? '' : `${count(changed, 'work')}${would} changed`,
    unchanged === 0 ? '' : `${count(unchanged, 'work')} up to date`,
    left_out === 0 ? '' : `${count(left_out, 'work')} left out`,
    failed === 0 ? '' : `${count(failed, 'line')} failed`,
  ].filter((outcome) => outcome !== '')
  const total = `${outcomes.join(', ')}; this run took ${seconds} s, ${rate} works/s.`
  return [
    ...shownOf(report.changes.map(formatChange), failuresShownMax),
    ...shownOf(failures, failuresShownMax),
    ...formatNotes(report),
    total,
  ].join('\n')
}

type Placed = { readonly file?: string; readonly line: number }

function placeOf({ file, line }: Placed): string {
  return file === undefined ? `line ${line}` : `${file}, line ${line}`
}

function formatChange({ ark_identifier, version, changes, ...place }: ImportChange): string {
  if (changes.length === 0) return `${placeOf(place)}: ${ark_identifier} is up to date`
  const fields = changes.map(({ field, before, after }) => {
    return `${field}: ${shown(before)} → ${shown(after)}`
  })
  return printable(`${placeOf(place)}: ${ark_identifier}, version ${version}: ${fields.join('; ')}`)
}

const shownCharactersMax = 200

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > shownCharactersMax
    ? `${text.slice(0, shownCharactersMax).toWellFormed()}…`
    : text
}

/** A line for each note, and how many there are of each kind. */
function formatNotes({ notes, note_counts: counts, losses }: ImportReport): readonly string[] {
  if (notes.length === 0) return []
  const lines = notes.map(({ kind, key, message, ...place }) => {
    // A line that is a work by itself has no other name than its number.
    const named = key === `line ${place.line}` ? '' : `${key}: `
    return printable(`${placeOf(place)}: note, ${kind}: ${named}${message}`)
  })
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const kinds = Object.entries(counts).map(([kind, number]) => `${number} ${kind}`)
  const lost = losses === 0 ? 'nothing is lost' : `${losses} of them about what is lost`
  return [
    ...shownOf(lines, notesShownMax, all),
    `${count(all, 'note')}: ${kinds.join(', ')}; ${lost}.`,
  ]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function shownOf(lines: readonly string[], max: number, all = lines.length): readonly string[] {
  const first = lines.slice(0, max)
  const unshown = all - first.length
  return unshown <= 0 ? first : [...first, `… and ${unshown} more; --json lists them.`]
}

type MigrateOptions = Pick<
  ImportOptions,
  'json' | 'owner' | 'environment' | 'allowDuplicate' | 'restart' | 'new' | 'dryRun' | 'report'
> & { readonly from: Agency; readonly names?: string }

/** Adds `migrate`, which is an import of a dump for the organizations whose records it has. */
export function defineMigrate(program: Command): void {
  addCommand(program, 'migrate', 'register or update all records of a dump; resumes like import')
    .argument('<dump>', 'a dump: a tar archive, a folder or a JSON file, compressed or not')
    .addOption(
      new Option('--from <agency>', 'agency that the dump is from')
        .choices(agencies)
        .makeOptionMandatory(),
    )
    .option('--names <file>', 'JSON file with the organizations of clients, members or prefixes')
    .option('--owner <owner>', 'owner of works for which --names has no organization', 'operator')
    .addOption(environmentOption('environment to write to'))
    .option(
      '--allow-duplicate',
      'also register works whose DOIs others have, or that are withdrawn',
      false,
    )
    .option('--restart', 'start from the first line, not where an earlier run stopped', false)
    .option('--new', 'create a registry if DATA_DIR has none', false)
    .option('--report <file>', 'write a report on all fields, with examples, to a file')
    .option('--dry-run', 'check everything and show what would be done, but write nothing', false)
    .action(migrate)
}

async function migrate(dump: string, options: MigrateOptions): Promise<void> {
  const { from, names, ...shared } = options
  await importSource(dump, {
    ...shared,
    update: true,
    strict: false,
    column: {},
    migration: { from, names: names === undefined ? new Map() : await readRegistrantNames(names) },
  })
}
