import path from 'node:path'

import type { Config } from '#config/schema.ts'
import type { BackupOwner } from '#src/keeping/backup/backup_owner.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { backupId, backupMs } from '#src/keeping/backup/manifest.ts'
import { findOwnBackups, type OwnBackup } from '#src/keeping/backup/own_backups.ts'
import {
  bad,
  type Check,
  good,
  unused,
  type Verdict,
  warning,
} from '#src/operations/doctor/finding.ts'
import { isVerifiable, type Policy, policyWarnings } from '#log/tlog/policy.ts'
import { claimFiles, readAccusers } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { hasAddress, readPolicyFile } from '#src/tlog_tools/cosigning/policy_file.ts'

/** How many files among the backups are named that are none. */
const foreignShownMax = 3

const environmentNames = ['live', 'sandbox']

/** How long a service may take to answer. */
const answerMs = 10_000

type ServiceConfig = Pick<
  Config,
  'DATA_DIR' | 'SMTP_URL' | 'SEARCH' | 'SEARCH_URL' | 'WITNESS_POLICY'
> & { readonly SIGN_UP: string }

/** Asks a mail server whether it would take mail; rejects with what it says. */
export type AskMailServer = (url: string) => Promise<void>

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
    if (signUp === 'off') return unused('SMTP_URL is not set, and nobody signs up.')
    return warning(
      'SMTP_URL is not set: nobody can confirm an address or have a password set anew. Set it ' +
        'and MAIL_FROM.',
    )
  }
  const { host } = new URL(url)
  try {
    await ask(url)
    return good(`${host} takes mail.`)
  } catch (error) {
    const { message } = error as Error
    return bad(`${host} takes no mail (${message}). Correct SMTP_URL, or start the server.`)
  }
}

async function lookAtSearch({ SEARCH, SEARCH_URL: url }: ServiceConfig): Promise<Verdict> {
  if (!SEARCH) return unused('SEARCH is off.')
  if (url === undefined) return good('The registry keeps its index itself.')
  const problem = await problemOf(`${url.replace(/\/$/, '')}/health`, (status) => status === 200)
  if (problem === undefined) return good(`${url} is healthy.`)
  return bad(`${url} does not serve searches (${problem}). Start it, or correct SEARCH_URL.`)
}

async function lookAtWitnesses({
  WITNESS_POLICY: file,
  DATA_DIR: dataDir,
}: ServiceConfig): Promise<readonly Verdict[]> {
  if (file === undefined) {
    return [unused('WITNESS_POLICY is not set: nobody but the registry vouches for its log.')]
  }
  const policy = readPolicyFile(file)
  const found = await Promise.all(
    policy.witnesses.filter(isVerifiable).map(async ({ name, url }) => {
      if (url === undefined) return unused(`${name} has no address, and is not asked.`)
      // What it answers to a look does not matter: a witness takes checkpoints alone.
      const problem = await problemOf(url, () => true)
      if (problem === undefined) return good(`${name} answers.`)
      return warning(
        `${name} does not answer (${problem}): the log goes on, but proofs wait for a quorum. ` +
          'Ask whoever runs it.',
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
        `${name} is set aside since it contradicts the log: ${last?.said} (${last?.at}; all that ` +
          `it has said is in ${file}). Ask its operator; if you have restored an older copy of ` +
          'the data, stop the registry.',
      )
    })
  })
}

/** Why an address does not answer as it should; undefined if it does. */
async function problemOf(
  url: string,
  isFit: (status: number) => boolean,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    })
    await response.body?.cancel()
    return isFit(response.status) ? undefined : `it answers ${response.status}`
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? cause.message : message
  }
}

/** Where backups are kept, if it was said, whose they are, and how old the newest may be. */
export type BackupPolicy = {
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
  if (target === undefined) return unused('Say where backups are kept with --backups.')
  if (owner === undefined) {
    return bad('DATA_DIR holds no registry whose backups these could be: set it, and KEYS_DIR.')
  }
  const { own, left } = await findOwnBackups({ target, owner, nowMs })
  const others = left.map(({ file, why }) =>
    warning(`${file} is not taken for a backup: ${why}. Find out who has put it there.`),
  )
  return [...others.slice(0, foreignShownMax), judgeNewest(own, hoursMax, nowMs)]
}

function judgeNewest(own: readonly OwnBackup[], hoursMax: number, nowMs: number): Verdict {
  const newestMs = Math.max(...own.map(({ manifest }) => backupMs(manifest.id)))
  if (own.length === 0) {
    return bad('There is no backup of this registry: make one with "arklog backup", every day.')
  }
  const hours = Math.floor((nowMs - newestMs) / 3_600_000)
  const told = `The newest backup, ${backupId(newestMs)}, is ${hours} hours old`
  if (hours <= hoursMax) return good(`${told}.`)
  return bad(`${told}: look why "arklog backup" has made none since.`)
}
