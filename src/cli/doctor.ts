import { type Command, InvalidArgumentError } from 'commander'

import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import type { BackupOwner } from '#src/keeping/backup/backup_owner.ts'
import { openTarget } from '#src/cli/backup.ts'
import { withRunningRegistry } from '#src/cli/admin_client.ts'
import { judgeKeptClock } from '#src/cli/start/clock.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { type DataFolders, dataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import {
  addressChecks,
  backupCheck,
  bad,
  type Check,
  clockCheck,
  clusterCheck,
  type Finding,
  folderChecks,
  good,
  runChecks,
  serviceChecks,
  unused,
  webhookCheck,
} from '#src/operations/doctor/checks.ts'
import { askMailServer } from '#src/delivery/mail/mailer.ts'

type DoctorOptions = {
  readonly backups?: string
  readonly backupHours: number
  readonly strict: boolean
  readonly json: boolean
}

/** Something is to be mended; what has been printed. */
class IllError extends Error {
  readonly code = 'doctor_found_problems'

  constructor(count: number) {
    super(count === 1 ? 'one thing is to be mended' : `${count} things are to be mended`)
    this.name = 'IllError'
  }
}

const notes = `
It changes nothing, and the registry can keep running. It checks what the settings name: run it with
the settings of the server, as its user, for example from cron.
Exit code: 0 there are no problems; 1 there is a problem, or a warning with --strict; 2 the command
was called wrongly.`

/** Adds `doctor`, which looks whether everything is as it should be. */
export function defineDoctor(program: Command): void {
  addCommand(program, 'doctor', 'check the health of the registry and all it needs')
    .option('--backups <target>', 'where backups are: a folder, or s3://bucket/folder')
    .option('--backup-hours <hours>', 'maximum age of the newest backup', parseHours, 26)
    .option('--strict', 'treat warnings as problems', false)
    .addHelpText('after', notes)
    .action(examine)
}

function parseHours(text: string): number {
  const hours = Number(text)
  if (Number.isFinite(hours) && hours > 0) return hours
  throw new InvalidArgumentError('It must be a number of hours, such as 26.')
}

async function examine(options: DoctorOptions): Promise<void> {
  const config = readConfig(process.env)
  const findings = await runChecks(await checksOf(config, options))
  print(options, { findings }, findings.map(formatFinding).join('\n'))
  const problems = findings.filter(({ state }) => {
    return state === 'bad' || (options.strict && state === 'warning')
  })
  if (problems.length > 0) throw new IllError(problems.length)
}

async function checksOf(config: Config, options: DoctorOptions): Promise<readonly Check[]> {
  const folders = dataFolders(config)
  const disk = { ...folders, reserveBytes: config.DISK_RESERVE_BYTES }
  const target = options.backups === undefined ? undefined : await openTarget(options.backups)
  const owner = target === undefined ? undefined : await ownerIn(folders)
  return [
    ...folderChecks(disk),
    clockCheck({
      running: async () => {
        const status = await readStatus(config)
        return status && [status.live.clock, status.sandbox.clock]
      },
      kept: () => judgeKeptClock(config, folders.dataDir),
    }),
    { name: 'server', look: () => lookAtServer(config) },
    ...addressChecks(config, await vkeyOf(folders.dataDir), Date.now),
    clusterCheck(config.CLUSTER_URL),
    ...serviceChecks(config, askMailServer),
    webhookCheck(async () => (await readStatus(config))?.webhooks),
    backupCheck({ target, owner, hoursMax: options.backupHours }, Date.now),
  ]
}

/** The registry in these folders, as its backups name it; undefined where none can be read. */
async function ownerIn(folders: DataFolders): Promise<BackupOwner | undefined> {
  const instance = await readInstance(folders.dataDir).catch(() => undefined)
  const pepper = await readSecretFile(identityPaths(folders).pepperPath).catch(() => undefined)
  if (instance?.kind !== 'registry' || pepper === undefined) return undefined
  return { instance, pepper }
}

/** The verifier key of the live log; undefined where there is none that can be read. */
async function vkeyOf(dataDir: string): Promise<string | undefined> {
  const instance = await readInstance(dataDir).catch(() => undefined)
  if (instance?.kind !== 'registry') return undefined
  const live = instance.logs['live']
  if (live === undefined) return undefined
  return formatVkey(live.origin, ed25519Type, Buffer.from(live.log_public_key, 'hex'))
}

/** What the server says of itself; undefined where none runs. */
function readStatus({ DATA_DIR: dataDir }: Pick<Config, 'DATA_DIR'>) {
  return withRunningRegistry(dataDir, (client) => client.call('/status', {}))
}

async function lookAtServer({ DATA_DIR: dataDir }: Config) {
  const status = await readStatus({ DATA_DIR: dataDir })
  if (status === undefined) return unused('No server runs here at the moment.')
  const { live, sandbox } = status
  const found = Object.entries({ live, sandbox }).flatMap(([name, { problem, damage }]) => [
    ...(problem === undefined ? [] : [bad(`${name} accepts no writes: ${problem}`)]),
    ...(damage.found === 0
      ? []
      : [bad(`${name} has ${damage.found} damaged rows: ${damage.first ?? ''}`)]),
  ])
  return found.length > 0 ? found : good(`It runs, and its log has ${live.treeSize} entries.`)
}

const marks = {
  good: 'ok      ',
  warning: 'WARNING ',
  bad: 'PROBLEM ',
  unused: '–       ',
} as const

function formatFinding({ check, state, message }: Finding): string {
  return `${marks[state]}${check.padEnd(10)}${message}`
}
