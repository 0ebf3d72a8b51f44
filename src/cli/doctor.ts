import dns from 'node:dns/promises'
import { once } from 'node:events'
import type { StatsFs } from 'node:fs'
import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'

import { type ClockFault, type ClockStatus, formatClockFault } from '#actors/journal/clock_guard.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { isVerifiable, type Policy, policyWarnings } from '#log/tlog/policy.ts'
import { withRunningRegistry } from '#src/cli/admin_client.ts'
import { openTarget } from '#src/cli/backup.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { judgeKeptClock } from '#src/cli/start/clock.ts'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import { askMailServer } from '#src/delivery/mail/mailer.ts'
import type { EndpointHealth } from '#src/delivery/webhooks/endpoint_store.ts'
import type { BackupOwner } from '#src/keeping/backup/backup_owner.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { findOwnBackups, type OwnBackup } from '#src/keeping/backup/found_backups.ts'
import { backupId, backupMs } from '#src/keeping/backup/manifest.ts'
import { type DataFolders, dataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { claimFiles, readAccusers } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { hasAddress, readPolicyFile } from '#src/tlog_tools/cosigning/policy_file.ts'

// Any right of the group or of others.
const othersMask = 0o077

/** Below so many times the reserve the disk is told of before writes are refused. */
const reservesMin = 8

/** Where a registry keeps what it has, and how many bytes of the disk must stay free. */
export type Disk = DataFolders & { readonly reserveBytes: number }

/** What is looked at on the disk: the data directory, its secrets, the room that is left. */
export function folderChecks(disk: Disk): readonly Check[] {
  return [
    { name: 'data', look: () => lookAtFolder(disk) },
    { name: 'keys', look: () => lookAtSecrets(disk) },
    { name: 'disk', look: () => lookAtDisk(disk) },
  ]
}

async function lookAtFolder({ dataDir }: Disk): Promise<Verdict> {
  const stats = await fs.stat(dataDir).catch(() => undefined)
  if (stats === undefined) {
    return warning(
      `${dataDir} does not exist: the first start creates it. If this registry has run before, ` +
        'its disk is not mounted, or DATA_DIR names another folder.',
    )
  }
  const instance = await readInstance(dataDir)
  if (instance === undefined) {
    return warning(`${dataDir} has no registry yet: the first start creates one.`)
  }
  if (instance.kind !== 'registry') {
    return bad(`${dataDir} has no registry: set DATA_DIR to the folder of one.`)
  }
  if (process.platform !== 'win32' && (stats.mode & othersMask) !== 0) {
    return warning(
      `${dataDir} is open to other users of this machine: run "chmod -R go-rwx ${dataDir}". The ` +
        'next start does this too, and lists what was open.',
    )
  }
  return good(`${dataDir} has a registry that was created at ${instance.created_at}.`)
}

async function lookAtSecrets({ keysDir }: Disk): Promise<readonly Verdict[]> {
  const names = await fs.readdir(keysDir).catch(() => [])
  if (names.length === 0) return [warning(`${keysDir} has no keys: the first start creates them.`)]
  const verdicts: Verdict[] = []
  for (const name of names) {
    const problem = await readSecretFile(path.join(keysDir, name)).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    )
    if (problem !== undefined) verdicts.push(bad(problem))
  }
  return verdicts.length > 0
    ? verdicts
    : [good(`Only this user can read the ${names.length} files of ${keysDir}.`)]
}

async function lookAtDisk({ dataDir, reserveBytes }: Disk): Promise<Verdict> {
  const { bavail, blocks, bsize } = await statNearest(dataDir)
  const freeBytes = bavail * bsize
  const share = `${formatBytes(freeBytes)} of ${formatBytes(blocks * bsize)} are free`
  if (freeBytes < reserveBytes) {
    return bad(
      `${share}, less than DISK_RESERVE_BYTES, so nothing can be registered. Free some, or ` +
        'move DATA_DIR to a larger disk.',
    )
  }
  if (freeBytes < reservesMin * reserveBytes) {
    return warning(
      `${share}. Below ${formatBytes(reserveBytes)} nothing can be registered. Free some.`,
    )
  }
  return good(`${share}.`)
}

// The folder may be yet to be made.
async function statNearest(folder: string): Promise<StatsFs> {
  try {
    return await fs.statfs(folder)
  } catch (error) {
    const parent = path.dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return statNearest(parent)
  }
}

function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1_024 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

/** What is known of the clock of a registry. */
type ClockSources = {
  /** What the registry that runs says of it, of each log; undefined where none runs. */
  readonly running: () => Promise<readonly ClockStatus[] | undefined>
  /** What speaks against it by what was kept when the registry ran last. */
  readonly kept: () => ClockFault | undefined
}

/** Looks at the clock as the registry does: what speaks against it stops all that is dated. */
export function clockCheck(sources: ClockSources): Check {
  return { name: 'clock', look: () => lookAtClock(sources) }
}

async function lookAtClock({ running, kept }: ClockSources): Promise<Verdict> {
  const statuses = await running()
  if (statuses === undefined) {
    const fault = kept()
    if (fault !== undefined) return bad(formatClockFault(fault))
    return good('There is no evidence against it from when the registry last ran.')
  }
  const [problem] = statuses.flatMap((status) => status.problem ?? [])
  if (problem !== undefined) return bad(problem)
  const aheadMs = Math.max(...statuses.map(({ logAheadMs }) => logAheadMs))
  if (aheadMs <= aheadMsMax) return good('The registry that runs here trusts it.')
  return warning(
    `The newest entry of the log is ${Math.round(aheadMs / 1_000)} s ahead of it, and an ` +
      'operator has accepted that: "arklog clock status" tells until when all is dated with ' +
      'that time.',
  )
}

// So far a log may be ahead after a step of its clock that is none to speak of.
const aheadMsMax = 600_000

/** How long an address may take to answer, and how long its answer may be. */
const addressMs = 10_000
const keyListBytesMax = 8_000_000

/** How far two clocks may be apart: statements carry the time of this one. */
const apartMsMax = 30_000

type AddressConfig = Pick<Config, 'BASE_URL' | 'TRUST_PROXY' | 'HOST'>

/**
 * What is looked at from outside: whether the public address leads here, to the log of `vkey`, by
 * way of a proxy that is known, and with a clock like this one.
 */
function addressChecks(
  config: AddressConfig,
  vkey: string | undefined,
  systemMs: () => number,
): readonly Check[] {
  return [
    { name: 'address', look: () => lookAtAddress(config, vkey, systemMs) },
    { name: 'proxy', look: async () => lookAtProxy(config) },
  ]
}

async function lookAtAddress(
  { BASE_URL: baseUrl }: AddressConfig,
  vkey: string | undefined,
  systemMs: () => number,
): Promise<readonly Verdict[]> {
  if (baseUrl === undefined) {
    return [
      warning(
        'BASE_URL is not set, so links and the name of the log are only valid on this machine. ' +
          'Set it to the public address before you register anything that matters.',
      ),
    ]
  }
  const { hostname } = new URL(baseUrl)
  const resolved = await dns.lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined)
  if (resolved === undefined) {
    return [bad(`${hostname} has no address in the DNS: register it, or correct BASE_URL.`)]
  }
  const url = `${baseUrl.replace(/\/$/, '')}/.well-known/svc-keys.json`
  const askedMs = systemMs()
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(addressMs),
  }).catch((error: unknown) => error as Error)
  if (response instanceof Error) return [unreachable(baseUrl, response)]
  const skew = lookAtSkew(response, askedMs, systemMs())
  if (response.status !== 200) {
    await response.body?.cancel()
    const advice = 'Start the registry, or repair the proxy in front of it.'
    return [bad(`${url} answers ${response.status}. ${advice}`), ...skew]
  }
  return [await judgeKeys(url, await readText(response), vkey), ...skew]
}

function unreachable(baseUrl: string, { message, cause }: Error): Verdict {
  const why = cause instanceof Error ? cause.message : message
  return bad(
    `${baseUrl} cannot be reached from here (${why}): start the registry and its proxy, and ` +
      'open the firewall. If only this machine cannot reach it, check from another one.',
  )
}

async function readText(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > keyListBytesMax) throw new Error('The list of keys is too long.')
  }
  return text
}

async function judgeKeys(url: string, text: string, vkey: string | undefined): Promise<Verdict> {
  let answered: string
  try {
    answered = (await parseKeyList(text)).live.vkey
  } catch (error) {
    return bad(`${url} is not the list of keys of a registry (${(error as Error).message}).`)
  }
  if (vkey === undefined || answered === vkey) return good(`${url} leads to this registry.`)
  return bad(
    `${url} leads to another registry, with the log ${answered}. Correct BASE_URL, or the ` +
      'proxy: works that are registered here cannot be found there.',
  )
}

function lookAtSkew(response: Response, askedMs: number, answeredMs: number): readonly Verdict[] {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return []
  // A header has whole seconds, cut off.
  const apartMs = Math.max(askedMs - 1_000 - serverMs, serverMs - answeredMs, 0)
  if (apartMs <= apartMsMax) return []
  const seconds = Math.round(apartMs / 1_000)
  return [
    bad(
      `This clock and that of the public address differ by ${seconds} s. Keep both right with NTP.`,
    ),
  ]
}

function lookAtProxy({ BASE_URL: baseUrl, TRUST_PROXY: trusted }: AddressConfig): Verdict {
  const isBehindOne = baseUrl?.startsWith('https:') ?? false
  if (!isBehindOne) return good('The address is served without TLS, so it needs no proxy.')
  if (trusted.length > 0) return good(`Client addresses from ${trusted.join(', ')} are trusted.`)
  return bad(
    'BASE_URL is https, so there is a proxy, but TRUST_PROXY names none: all clients count as ' +
      'one and share one limit. Set it to the address of the proxy.',
  )
}

/** How many files among the backups are named that are none. */
const foreignShownMax = 3

const environmentNames = ['live', 'sandbox']

/** How long a service may take to answer. */
const serviceMs = 10_000

type ServiceConfig = Pick<
  Config,
  'DATA_DIR' | 'SMTP_URL' | 'SEARCH' | 'SEARCH_URL' | 'WITNESS_POLICY'
> & { readonly SIGN_UP: string }

/** Asks a mail server whether it would take mail; rejects with what it says. */
type AskMailServer = (url: string) => Promise<void>

/** What is looked at of the services that a registry uses, as far as it is set up to. */
export function serviceChecks(config: ServiceConfig, askMail: AskMailServer): readonly Check[] {
  return [
    { name: 'mail', look: () => lookAtMail(config, askMail) },
    { name: 'search', look: () => lookAtSearch(config) },
    { name: 'witnesses', look: () => lookAtWitnesses(config) },
  ]
}

async function lookAtMail(
  { SMTP_URL: url, SIGN_UP: signUp }: ServiceConfig,
  ask: AskMailServer,
): Promise<Verdict> {
  if (url === undefined) {
    if (signUp === 'off') return unused('SMTP_URL is not set, and nobody can sign up.')
    return warning(
      'SMTP_URL is not set: nobody can confirm an address or reset a password by mail. Set it ' +
        'and MAIL_FROM.',
    )
  }
  const { host } = new URL(url)
  try {
    await ask(url)
    return good(`${host} accepts mail.`)
  } catch (error) {
    const { message } = error as Error
    return bad(`${host} does not accept mail (${message}). Correct SMTP_URL, or start the server.`)
  }
}

async function lookAtSearch({ SEARCH, SEARCH_URL: url }: ServiceConfig): Promise<Verdict> {
  if (!SEARCH) return unused('SEARCH is off.')
  if (url === undefined) return good('The registry uses its embedded index.')
  const problem = await serviceProblem(
    `${url.replace(/\/$/, '')}/health`,
    (status) => status === 200,
  )
  if (problem === undefined) return good(`${url} is healthy.`)
  return bad(`${url} cannot search (${problem}). Start it, or correct SEARCH_URL.`)
}

async function lookAtWitnesses({
  WITNESS_POLICY: file,
  DATA_DIR: dataDir,
}: ServiceConfig): Promise<readonly Verdict[]> {
  if (file === undefined) {
    return [unused('WITNESS_POLICY is not set: the log has no witnesses.')]
  }
  const policy = readPolicyFile(file)
  const found = await Promise.all(
    policy.witnesses.filter(isVerifiable).map(async ({ name, url }) => {
      if (url === undefined) return unused(`${name} has no address, so it is not asked.`)
      // What it answers to a look does not matter: a witness takes checkpoints alone.
      const problem = await serviceProblem(url, () => true)
      if (problem === undefined) return good(`${name} answers.`)
      return warning(
        `${name} does not answer (${problem}): the log continues, but proofs wait for a quorum. ` +
          'Ask its operator.',
      )
    }),
  )
  const unknown = policyWarnings(policy, hasAddress).map((text) => warning(`${text}.`))
  return [...found, ...unknown, ...lookAtClaims(policy, dataDir)]
}

/** What witnesses of a policy have said against a log without proof, as it was kept. */
function lookAtClaims({ witnesses }: Policy, dataDir: string): readonly Verdict[] {
  const files = environmentNames.map((log) => claimFiles(path.resolve(dataDir), log).claims)
  return files.flatMap((file) => {
    const accusers = readAccusers(file).filter(({ vkey, set_aside }) => {
      return set_aside && witnesses.some((witness) => witness.vkey === vkey)
    })
    return accusers.map(({ name, claims }) => {
      const last = claims.at(-1)
      return warning(
        `${name} is set aside because it contradicts the log: ${last?.said} (${last?.at}; all ` +
          `its claims are in ${file}). Ask its operator. If you have restored an older copy of ` +
          'the data, stop the registry.',
      )
    })
  })
}

/** Why an address does not answer as it should; undefined if it does. */
async function serviceProblem(
  url: string,
  isFit: (status: number) => boolean,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(serviceMs),
    })
    await response.body?.cancel()
    return isFit(response.status) ? undefined : `it answers ${response.status}`
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? cause.message : message
  }
}

/** Where backups are kept, if it was said, whose they are, and how old the newest may be. */
type BackupPolicy = {
  readonly target: BackupTarget | undefined
  /** The registry of these settings; undefined if there is none. */
  readonly owner: BackupOwner | undefined
  readonly hoursMax: number
}

/** What is looked at of the backups: whether the registry has made one that is young enough. */
export function backupCheck(policy: BackupPolicy, systemMs: () => number): Check {
  return { name: 'backup', look: () => lookAtBackups(policy, systemMs()) }
}

async function lookAtBackups(
  { target, owner, hoursMax }: BackupPolicy,
  nowMs: number,
): Promise<Verdict | readonly Verdict[]> {
  if (target === undefined) return unused('Give the target of backups with --backups.')
  if (owner === undefined) {
    return bad('DATA_DIR has no registry for these backups: set it, and KEYS_DIR.')
  }
  const { own, left } = await findOwnBackups({ target, owner, nowMs })
  const others = left.map(({ file, why }) =>
    warning(`${file} is not an authentic backup: it ${why}. Find out where it comes from.`),
  )
  return [...others.slice(0, foreignShownMax), judgeNewest(own, hoursMax, nowMs)]
}

function judgeNewest(own: readonly OwnBackup[], hoursMax: number, nowMs: number): Verdict {
  const newestMs = Math.max(...own.map(({ manifest }) => backupMs(manifest.id)))
  if (own.length === 0) {
    return bad('There is no backup of this registry: make one with "arklog backup" every day.')
  }
  const hours = Math.floor((nowMs - newestMs) / 3_600_000)
  const told = `The newest backup, ${backupId(newestMs)}, is ${hours} hours old`
  if (hours <= hoursMax) return good(`${told}.`)
  return bad(`${told}: find out why "arklog backup" has made none since.`)
}

/** How long a server of the engine may take to be reached. */
const reachMs = 5_000

/** What is looked at of the engine of a cluster: whether its servers can be reached from here. */
export function clusterCheck(clusterUrl: string | undefined): Check {
  return {
    name: 'cluster',
    async look() {
      if (clusterUrl === undefined) return unused('CLUSTER_URL is not set: this is not a node.')
      const { servers } = parseClusterUrl(clusterUrl)
      const problems = await Promise.all(servers.map(async (server) => serverProblem(server)))
      const reached = problems.filter((problem) => problem === undefined).length
      if (reached === servers.length) return good(`All ${reached} NATS servers can be reached.`)
      return servers.flatMap((server, index) => verdictOf(server, problems[index], reached))
    },
  }
}

function verdictOf(server: string, problem: string | undefined, reached: number): Verdict[] {
  if (problem === undefined) return []
  const text = `The NATS server ${server} cannot be reached from here (${problem})`
  if (reached === 0)
    return [bad(`${text}, so nothing is written. Start it, or correct CLUSTER_URL.`)]
  return [warning(`${text}, so another one is used. Start it before one more fails.`)]
}

async function serverProblem(server: string): Promise<string | undefined> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(server) ?? []
  const socket = net.connect({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(reachMs) })
    return undefined
  } catch (error) {
    const { name, message } = error as Error
    return name === 'AbortError' ? `no answer within ${reachMs / 1_000} s` : message
  } finally {
    socket.destroy()
  }
}

/** How the webhooks of each environment are, by its name. */
type Healths = Readonly<Record<string, EndpointHealth>>

/** What is looked at of webhooks; `read` gives nothing where no server runs. */
export function webhookCheck(read: () => Promise<Healths | undefined>): Check {
  return {
    name: 'webhooks',
    async look() {
      const healths = await read()
      if (healths === undefined)
        return unused('No server is running here, so nothing is delivered.')
      const found = Object.entries(healths).flatMap(([name, health]) => warningsOf(name, health))
      if (found.length > 0) return found
      const sum = (of: 'total' | 'paused') =>
        Object.values(healths).reduce((count, health) => count + health[of], 0)
      if (sum('total') === 0) return unused('There are no webhooks.')
      return good(`${sum('total')} webhooks, of which ${sum('paused')} are paused.`)
    },
  }
}

function warningsOf(name: string, { failed, failing, farBehind }: EndpointHealth): Verdict[] {
  const told: readonly (readonly [number, string])[] = [
    [
      failed,
      'were stopped after three days, and their owners got a mail; "arklog webhook resume" ' +
        'continues one where it stopped',
    ],
    [
      failing,
      'accept no messages: "arklog webhook deliveries" shows their answers. If there are many, ' +
        'check whether this machine can reach other hosts',
    ],
    [farBehind, 'lag far behind: their endpoints answer slowly, or share a host with many others'],
  ]
  return told.flatMap(([count, what]) =>
    count === 0 ? [] : [warning(`${count} webhooks of ${name} ${what}.`)],
  )
}

/**
 * What a check has found: `bad` is to be mended now, a `warning` before it becomes that, `unused`
 * is not set up and need not be.
 */
type FindingState = 'good' | 'warning' | 'bad' | 'unused'

/** One thing that was looked at. `message` says what was found and, if not good, what to do. */
type Finding = {
  readonly check: string
  readonly state: FindingState
  readonly message: string
}

/** Something that is looked at: it gives one finding or several, or fails with what is bad. */
type Check = {
  readonly name: string
  readonly look: () => Promise<Verdict | readonly Verdict[]>
}

/** A finding whose check is known. */
type Verdict = Omit<Finding, 'check'>

const good = (message: string): Verdict => ({ state: 'good', message })
const warning = (message: string): Verdict => ({ state: 'warning', message })
const bad = (message: string): Verdict => ({ state: 'bad', message })
const unused = (message: string): Verdict => ({ state: 'unused', message })

/** Does all checks at once, and gives their findings in the order of the checks. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map(runCheck))
  return found.flat()
}

async function runCheck({ name: check, look }: Check): Promise<readonly Finding[]> {
  try {
    const verdicts = await look()
    return [verdicts].flat().map((verdict) => ({ check, ...verdict }))
  } catch (error) {
    return [{ check, ...bad((error as Error).message) }]
  }
}

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
