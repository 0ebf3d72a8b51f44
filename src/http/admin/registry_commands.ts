import { type ClockStatus, formatClockFault } from '#actors/journal/clock_guard.ts'
import { statementSigner } from '#actors/works/receipts/statement.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import {
  type AdminRegistry,
  command,
  environment,
  invalid,
  limit,
  owner,
  position,
  strings,
  wrongMember,
} from '#src/http/admin/command.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { NodeAdmin } from '#src/cluster/invitations.ts'
import { endpointHealth } from '#src/delivery/webhooks/endpoint_store.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  formatOwner,
  operator,
  operatorAgent,
  type OwnerId,
  parseOwner,
} from '#src/identity/store/owner_text.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'
import { Type } from 'typebox'
import type { Owner } from '#actors/values/agent.ts'
import { checkNewKey } from '#src/identity/keys/key_record.ts'
import type { CreatedKey, KeyStore } from '#src/identity/keys/key_store.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { endSecondStep, invitationUrl, resetUrl } from '#src/use_cases/account_record.ts'

const rotatedAlone = 'docs/cluster.md says how to rotate it where one node is left'
const noRotation =
  'In a cluster the receipt key is not rotated: the other nodes would not have the new one, and ' +
  `could sign nothing. ${rotatedAlone}`
const noTokenRotation =
  'In a cluster the key of ID tokens is not rotated: the other nodes would not have the new one, ' +
  `and would sign with the old. ${rotatedAlone}`

/** The commands on the registry itself: its state, its clock, its node, its keys, its indexes. */
export const registryCommands = {
  '/status': command({}, async (registry) => {
    const { live, sandbox } = registry.environments
    const lists = [registry.keys.listAll(), registry.sandbox.keys.listAll()]
    const keys = (await Promise.all(lists)).flat().length
    const webhooks = { live: healthIn(registry, 'live'), sandbox: healthIn(registry, 'sandbox') }
    return { keys, webhooks, live: live.status(), sandbox: sandbox.status() }
  }),
  '/clock/status': command({}, clockStatus),
  /** Goes on with the clock as it is; `accepted` is what was wrong, null if nothing was. */
  '/clock/accept': command({}, (registry) => {
    const fault = registry.clockGuard.accept()
    if (fault?.by === 'release') throw new HttpError('conflict', formatClockFault(fault))
    if (fault !== undefined) {
      for (const { clock } of Object.values(registry.environments)) clock.restart()
    }
    return { ...clockStatus(registry), accepted: fault ? formatClockFault(fault) : null }
  }),
  '/cluster/status': command({}, ({ cluster }) => {
    if (cluster === undefined) throw noCluster()
    return cluster.status('live')
  }),
  /** The token is shown once, and good once. */
  '/cluster/invite': command({}, (registry) =>
    ofNode(registry, (node) => {
      const { token, expiresMs } = node.invite()
      return { token, expires_at: formatTimestamp(expiresMs) }
    }),
  ),
  '/cluster/leave': command({}, (registry) => ofNode(registry, (node) => node.leave())),
  '/token-keys/rotate': command({ environment }, (registry, { environment: name = 'live' }) => {
    if (registry.cluster !== undefined) throw new HttpError('conflict', noTokenRotation)
    return realmOf(registry, name).oauth.provider.rotateKeys()
  }),
  /** The new key signs from `rotated_at` on; the log's entry `leaf_index` announces it. */
  '/receipt-keys/rotate': command({ environment }, (registry, { environment: name = 'live' }) =>
    rotateReceiptKey(registry, name),
  ),
  '/search/status': command({}, (registry) => {
    const { live, sandbox } = searchOf(registry)
    return { live: live.status(), sandbox: sandbox.status() }
  }),
  /** `begun` is false if it was under way before; the status tells how it goes. */
  '/search/reindex': command({ environment }, (registry, { environment: name = 'live' }) => ({
    environment: name,
    begun: searchOf(registry)[name].beginReindex(),
  })),
}

function healthIn(registry: AdminRegistry, name: EnvironmentName) {
  const { events } = registry.environments[name].records
  return endpointHealth(realmOf(registry, name).webhooks, events)
}

function clockStatus({ environments: { live, sandbox } }: AdminRegistry) {
  const nowMs = Date.now()
  return {
    now: formatTimestamp(nowMs),
    live: clockReply(live.clock.status(), nowMs),
    sandbox: clockReply(sandbox.clock.status(), nowMs),
  }
}

/** `dated_until`: while the log is ahead of the clock, all is dated with that time. */
function clockReply({ problem, logAheadMs }: ClockStatus, nowMs: number) {
  return {
    problem: problem ?? null,
    dated_until: logAheadMs === 0 ? null : formatTimestamp(nowMs + logAheadMs),
  }
}

/** What the node of a cluster gives; what the cluster does not let happen is a refusal. */
async function ofNode<T>(
  { nodeAdmin }: AdminRegistry,
  use: (node: NodeAdmin) => T | Promise<T>,
): Promise<T> {
  if (nodeAdmin === undefined) throw noCluster()
  try {
    return await use(nodeAdmin)
  } catch (error) {
    if (error instanceof ClusterError) throw new HttpError('conflict', error.message)
    throw error
  }
}

function noCluster(): HttpError {
  const message = 'This registry runs on one machine alone: CLUSTER_URL is not set'
  return new HttpError('conflict', message)
}

async function rotateReceiptKey(registry: AdminRegistry, name: EnvironmentName) {
  if (registry.cluster !== undefined) throw new HttpError('conflict', noRotation)
  const { receiptKeys } = registry.environments[name]
  const answer = await registry.receiptKeyFiles[name].rotate(
    (next) => receiptKeys.rotate(statementSigner(next), operatorAgent),
    () => receiptKeys.publicKey,
  )
  switch (answer?.type) {
    case undefined:
      throw new HttpError('conflict', 'Another rotation is under way, or needs a restart to end')
    case 'too_many':
      throw new HttpError('conflict', 'There are as many receipt keys as verifiers read')
    case 'overloaded':
      throw new HttpError('unavailable', answer.message, { extra: { retry_after: 1 } })
    case 'clock_wrong':
      throw new HttpError('clock_wrong', answer.message)
    case 'rotated': {
      const { old_key_id, new_key_id, at: rotated_at, leafIndex: leaf_index } = answer
      return { environment: name, old_key_id, new_key_id, rotated_at, leaf_index }
    }
  }
}

function searchOf({ search }: AdminRegistry): NonNullable<AdminRegistry['search']> {
  if (search !== undefined) return search
  throw new HttpError('conflict', 'This registry has no search')
}

const keyId = Type.String({ pattern: '^[0-9A-Za-z]{10}$' })
const auditPageDefault = 100

/** The commands on API keys: those of the live realm, then those of test people. */
export const keyCommands = {
  '/keys/create': command(
    {
      owner,
      environment,
      scopes: strings(20),
      label: Type.Optional(Type.String()),
      ip_allow: Type.Optional(strings(50)),
      hours: Type.Optional(Type.Integer()),
    },
    async (registry, { environment: name = 'live', ...wish }) => {
      const by = namedOwner(registry, wish.owner, name)
      const checked = checkNewKey({ ...wish, environment: name, owner: by })
      if (checked.type === 'invalid') throw invalid('The key cannot be made', checked.faults)
      // The keys of test people lie with them.
      const { keys } = realmOf(registry, by.type === 'person' ? name : 'live')
      return keyReply(await keys.create(checked.key, operator))
    },
  ),
  '/keys/list': command({ owner: Type.Optional(owner) }, (registry, { owner: text }) =>
    listKeys(registry, text),
  ),
  '/keys/audit': command({ owner, after: position, limit }, async (registry, body) => {
    const { after = 0, limit: count = auditPageDefault } = body
    const wanted = readOwner(body.owner)
    const isTest = wanted.type === 'person' && isTestPerson(registry, wanted.id)
    const { keys } = realmOf(registry, isTest ? 'sandbox' : 'live')
    return { entries: await keys.audit(wanted, { after, limit: count }) }
  }),
  '/keys/revoke': command({ id: keyId }, async (registry, { id }) => {
    for (const keys of allKeys(registry)) {
      const answer = await keys.revoke(id, operator)
      if (answer.type === 'revoked') return { key: keys.show(answer.record) }
    }
    throw noKey(id)
  }),
  /** The new key; `replaces` works until `rotate_until`. */
  '/keys/rotate': command({ id: keyId }, async (registry, { id }) => {
    for (const keys of allKeys(registry)) {
      const answer = await keys.rotate(id, operator)
      if (answer.type === 'not_active') {
        throw new HttpError('conflict', `The key ${id} is not active; create a new one`)
      }
      if (answer.type === 'rotated') {
        return { ...keyReply(answer), replaces: id, rotate_until: answer.rotateUntil }
      }
    }
    throw noKey(id)
  }),
  '/keys/confirm': command({}, ({ adminCodes }) => adminCodes.issue()),
}

/**
 * The owner that a text names, as `namedOwner` of a command that writes in an environment: an
 * organization, or a test person, must exist there. HttpError `validation_failed`.
 */
export function namedOwner(registry: AdminRegistry, text: string, name: EnvironmentName): Owner {
  const { type, id } = readOwner(text)
  switch (type) {
    case 'operator':
      return operator
    case 'person':
      // A live key would find no such person, nor would a test key find a live one.
      if (name === 'sandbox' && !isTestPerson(registry, id)) {
        throw wrongMember('owner', `There is no test person ${id}`)
      }
      return { type, id, name: id }
    case 'organization': {
      const known = registry.environments[name].organizations.read(id)
      if (known !== undefined) return { type, id, name: known.name }
      throw wrongMember('owner', `There is no organization ${id}`)
    }
  }
}

async function listKeys(registry: AdminRegistry, text: string | undefined) {
  const wanted = text === undefined ? undefined : readOwner(text)
  const lists = allKeys(registry).map(async (keys) => {
    return wanted === undefined ? keys.listAll() : keys.list(wanted)
  })
  return { keys: (await Promise.all(lists)).flat() }
}

function readOwner(text: string): OwnerId {
  const read = parseOwner(text)
  if (read !== undefined) return read
  throw wrongMember('owner', 'An owner is org:<slug>, person:<ppid> or operator')
}

function isTestPerson({ environments }: AdminRegistry, ppid: string): boolean {
  return environments.sandbox.people.read(ppid) !== undefined
}

function allKeys({ keys, sandbox }: AdminRegistry): readonly KeyStore[] {
  return [keys, sandbox.keys]
}

/** A new key, whose text is shown this once. */
function keyReply({ key, record }: CreatedKey) {
  const { id, scopes, expires_at } = record
  return {
    id,
    key,
    owner: formatOwner(record.owner),
    scopes,
    environment: record.environment,
    expires_at,
  }
}

function noKey(id: string): HttpError {
  return new HttpError('not_found', `There is no key ${id}`)
}

/** A ppid or an e-mail address. */
const account = Type.String({ minLength: 1, maxLength: 254 })

/** An account as an operator sees it. */
export type AccountInfo = ReturnType<typeof accountReply>

const address = Type.String({ minLength: 3, maxLength: 254, pattern: '@' })

/** The commands on mails: addresses to which no mails go, as after a bounce. */
export const mailCommands = {
  '/mails/suppressed': command({}, async ({ accounts }) => ({
    addresses: await accounts.mailLog.suppressed(),
  })),
  '/mails/suppress': command(
    { address, reason: Type.String({ minLength: 1, maxLength: 200 }) },
    async ({ accounts }, { address: to, reason }) => ({
      suppressed: await accounts.mailLog.suppress(to, reason.replaceAll(/\s+/g, ' ')),
    }),
  ),
  '/mails/allow': command({ address }, async ({ accounts }, { address: to }) => {
    if (!accounts.mailLog.isSuppressed(to)) {
      throw new HttpError('not_found', `News go to ${to} already`)
    }
    await accounts.mailLog.lift(to)
    return { address: to }
  }),
}

/** The commands on the accounts of people. */
export const accountCommands = {
  '/accounts/list': command({ environment }, async (registry, { environment: name = 'live' }) => {
    const accounts = await realmOf(registry, name).accounts.accounts.list()
    const byAge = accounts.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    return { accounts: byAge.map((each) => accountReply(registry, each, name)) }
  }),
  /** With `email`, for a person who has lost their account. */
  '/accounts/reset-link': command(
    { account, email: Type.Optional(account) },
    async (registry, { account: text, email }) => {
      const { accounts: service } = registry
      const found =
        email === undefined
          ? namedAccount(registry, text)
          : await service.accounts.adopt(text, email)
      if (found === undefined) {
        const message = `${text} is no person without an account, or ${email} is not a free address`
        throw new HttpError('conflict', message)
      }
      const link = await resetUrl(service, found.ppid, operator)
      return { account: accountReply(registry, found), ...link }
    },
  ),
  '/accounts/invite': command({}, ({ accounts }) => invitationUrl(accounts)),
  '/accounts/set-admin': command(
    { account, admin: Type.Boolean() },
    async (registry, { account: text, admin }) => {
      const { accounts, setup } = registry.accounts
      const { ppid } = namedAccount(registry, text)
      const changed = await accounts.setAdmin(ppid, admin, operator)
      if (admin) await setup.end()
      return { account: accountReply(registry, changed) }
    },
  ),
  '/accounts/end-second-factor': command({ account }, async (registry, { account: text }) => {
    const found = namedAccount(registry, text)
    const ended = await endSecondStep(registry.accounts, found, operator)
    return { account: accountReply(registry, found), ended }
  }),
  '/accounts/remove': command(
    { environment, account },
    async (registry, { environment: name = 'live', account: text }) => {
      const { ppid } = namedAccount(registry, text, name)
      await realmOf(registry, name).accounts.accounts.remove(ppid)
      return { ppid }
    },
  ),
}

function namedAccount(
  registry: AdminRegistry,
  text: string,
  name: EnvironmentName = 'live',
): Account {
  const { accounts } = realmOf(registry, name).accounts
  const found = text.includes('@') ? accounts.findByEmail(text) : accounts.find(text)
  if (found !== undefined) return found
  throw new HttpError('not_found', `There is no account ${text}`)
}

function accountReply(
  { environments }: AdminRegistry,
  { ppid, state, email, email_verified, roles, created_at, ...rest }: Account,
  name: EnvironmentName = 'live',
) {
  const person = environments[name].people.read(ppid)
  const profile = person?.type === 'person' ? person.profile : rest.joining
  return {
    ppid,
    state,
    name: profile?.name ?? null,
    username: profile?.username ?? null,
    email,
    email_verified,
    roles,
    created_at,
  }
}
