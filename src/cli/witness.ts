import { type Command, InvalidArgumentError } from 'commander'

import type { AdminClient } from '#src/cli/admin_client.ts'
import { closeAtEnd } from '#src/cli/closing.ts'
import { addCommand, type JsonOption, print } from '#src/cli/program.ts'
import { StartLines } from '#src/cli/progress.ts'
import { formatWitnessBanner, witnessBannerJson } from '#src/cli/start/banner.ts'
import type { LogInfo, WitnessCalls } from '#src/tlog_tools/witness/witness_commands.ts'

const notes = `
A witness makes sure that logs show everybody the same history: it cosigns a checkpoint only if it
provably continues the last one. Set it up in the environment, or in the JSON file that CONFIG_FILE
names. The first start needs WITNESS_NAME. docs/configuration.md lists all settings.`

const logNotes = `
A verifier key identifies a log. It begins with the log's origin, such as
registry.example.org/log+a2c9e822+AYqI…: Arklog serves it at /log/vkey and prints it at start.`

/** Adds `witness`, which runs a witness of logs until it is told to stop, and manages it. */
export function defineWitness(program: Command): void {
  const witness = program
    .command('witness')
    .description('run a witness, and choose the logs it cosigns')
  addCommand(witness, 'serve', 'run a witness, as `witness` alone does', { isDefault: true })
    .option('--checks-map', 'cosign only maps that this witness has computed itself', false)
    .addHelpText('after', notes)
    .action(serveWitness)
  addCommand(
    witness,
    'key',
    'show the verifier keys of the witness; create them if there are none',
  ).action(showKey)
  addCommand(witness, 'add-log', 'start cosigning a log, or change its rate')
    .argument('<vkey>', 'the verifier key of the log')
    .option('--origin <origin>', 'first line of its checkpoints, if it is not the key’s name')
    .option('--rate <count>', 'maximum of new checkpoints a minute for this log', parseRate)
    .option('--url <url>', 'where its entries are read, if not at its origin')
    .addHelpText('after', logNotes)
    .action(addLog)
  addCommand(witness, 'remove-log', 'stop cosigning a log; its last checkpoint is kept')
    .argument('<origin>', 'first line of its checkpoints')
    .action(removeLog)
  addCommand(witness, 'list', 'list the logs and the last size cosigned of each').action(listLogs)
}

type AddOptions = JsonOption & {
  readonly origin?: string
  readonly rate?: number
  readonly url?: string
}

function parseRate(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
}

async function serveWitness({
  json,
  checksMap,
}: JsonOption & { readonly checksMap: boolean }): Promise<void> {
  using lines = new StartLines('The witness', json)
  if (checksMap) process.env['WITNESS_CHECKS_MAP'] = 'on'
  const config = await readSettings()
  lines.setLevel(config.LOG_LEVEL)
  const witness = await openWitness({ listen: true, onStep: lines.step })
  closeAtEnd(config.SHUTDOWN_GRACE_MS, () => witness.close())
  print({ json }, witnessBannerJson(witness.facts), formatWitnessBanner(witness.facts))
}

// Whatever takes long to load is loaded after the first line of a start.
async function readSettings() {
  const { readWitnessConfig } = await import('#config/witness.ts')
  return readWitnessConfig(process.env)
}

async function openWitness(options: {
  readonly listen: boolean
  readonly onStep?: (step: string) => void
}) {
  // Loaded here because a command that finds a witness running needs none of it.
  const service = await import('#src/cli/start/witness_service.ts')
  return service.openWitness(await readSettings(), options)
}

/** Runs `use` with a client of the witness that runs on the data directory, or of one here. */
async function withWitness<T>(use: (client: AdminClient<WitnessCalls>) => Promise<T>): Promise<T> {
  const { DATA_DIR: dataDir } = await readSettings()
  const { withSocketClient } = await import('#src/cli/admin_client.ts')
  return withSocketClient<WitnessCalls, T>(dataDir, use, () => openWitness({ listen: false }))
}

async function showKey({ json }: JsonOption): Promise<void> {
  const reply = await withWitness((client) => client.call('/key', {}))
  print({ json }, reply, reply.vkeys.join('\n'))
}

async function addLog(vkey: string, { origin, rate, url, json }: AddOptions): Promise<void> {
  const named = { ...(origin !== undefined && { origin }), ...(url !== undefined && { url }) }
  const wish = { vkey, ...named, ...(rate && { rate }) }
  const reply = await withWitness((client) => client.call('/logs/add', wish))
  const { log, outcome } = reply
  const words = {
    added: `The log ${log.origin} is cosigned from now on.`,
    changed: `The log ${log.origin} has another rate from now on.`,
    unchanged: `The log ${log.origin} is known already; nothing has changed.`,
  }
  print({ json }, reply, `${words[outcome]}\n${formatLog(log)}`)
}

async function removeLog(origin: string, { json }: JsonOption): Promise<void> {
  const reply = await withWitness((client) => client.call('/logs/remove', { origin }))
  const text = `The log ${origin} is cosigned no more. What was cosigned of it is remembered.`
  print({ json }, reply, text)
}

async function listLogs({ json }: JsonOption): Promise<void> {
  const reply = await withWitness((client) => client.call('/logs/list', {}))
  const text = reply.logs.length === 0 ? 'There are no logs.' : reply.logs.map(formatLog).join('\n')
  print({ json }, reply, text)
}

function formatLog({ id, origin, vkey, rate, last }: LogInfo): string {
  const cosigned = last === null ? 'nothing yet' : `size ${last.tree_size} at ${last.cosigned_at}`
  return [
    origin,
    `  key       ${vkey}`,
    `  cosigned  ${cosigned}`,
    `  at        /${id}/checkpoint`,
    ...(rate === null ? [] : [`  rate      ${rate} new checkpoints a minute`]),
  ].join('\n')
}
