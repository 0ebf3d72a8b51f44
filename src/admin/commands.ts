import type { ClockGuard } from '#actors/journal/clock_guard.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import { statementSigner } from '#actors/receipts/statement.ts'
import { type Realms, realmOf } from '#src/use_cases/realm.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { ClusterStatus } from '#src/cluster/cluster_status.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import type { NodeAdmin } from '#src/cluster/node_admin.ts'
import { HttpError } from '#src/errors.ts'
import { ApplicationCommands } from '#src/admin/application_commands.ts'
import { SearchCommands } from '#src/admin/search_commands.ts'
import { ClockCommands } from '#src/admin/clock_commands.ts'
import { AccountCommands } from '#src/admin/account_commands.ts'
import type {
  AdminBody,
  AdminReplies,
  FixityReply,
  ImportResult,
  KeyReply,
} from '#src/admin/command_table.ts'
import {
  formatOwner,
  operator,
  operatorAgent,
  type OwnerId,
  parseOwner,
} from '#src/identity/store/owner_text.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import { OrganizationCommands } from '#src/admin/organization_commands.ts'
import { WebhookCommands } from '#src/admin/webhook_commands.ts'
import { namedWork, WorkCommands } from '#src/admin/work_commands.ts'
import { registerWorks } from '#src/use_cases/registration.ts'
import type { AdminCodes } from '#src/identity/keys/admin_code.ts'
import { checkNewKey } from '#src/identity/keys/key_check.ts'
import type { NewKey } from '#src/identity/keys/key_record.ts'
import type { CreatedKey, KeyStore } from '#src/identity/keys/key_store.ts'
import type { ReceiptKeyFiles } from '#src/keeping/data_dir/key_file.ts'
import type { SearchService } from '#src/discovery/search/search_service.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** What is administered. */
export type AdminRegistry = Realms & {
  /** The public address, without a slash at its end, of the links in replies. */
  readonly baseUrl: string
  readonly environments: Environments
  readonly clockGuard: ClockGuard
  readonly adminCodes: AdminCodes
  readonly receiptKeyFiles: Readonly<Record<EnvironmentName, ReceiptKeyFiles>>
  /** The node of a cluster that runs this registry, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'status'>
  /** What an operator has that node do. */
  readonly nodeAdmin?: NodeAdmin
  /** Without it, nothing is searched. */
  readonly search?: Readonly<Record<EnvironmentName, SearchService>>
}

/** Entries of an audit list in one reply unless told. */
const pageDefault = 100

const rotatedAlone = 'docs/cluster.md says how to rotate it where one node is left'
const noRotation =
  'In a cluster the receipt key is not rotated: the other nodes would not have the new one, and ' +
  `could sign nothing. ${rotatedAlone}`
const noTokenRotation =
  'In a cluster the key of ID tokens is not rotated: the other nodes would not have the new one, ' +
  `and would sign with the old. ${rotatedAlone}`

/** The commands of the admin socket: one method each. Every refusal is an HttpError. */
export class AdminCommands {
  readonly accounts: AccountCommands
  readonly applications: ApplicationCommands
  readonly webhooks: WebhookCommands
  readonly works: WorkCommands
  readonly organizations: OrganizationCommands
  readonly search: SearchCommands
  readonly clock: ClockCommands
  readonly #registry: AdminRegistry

  constructor(registry: AdminRegistry) {
    const { environments } = registry
    this.accounts = new AccountCommands(registry, environments)
    this.applications = new ApplicationCommands(registry, environments)
    this.webhooks = new WebhookCommands(registry, environments)
    this.works = new WorkCommands(registry)
    this.organizations = new OrganizationCommands(environments)
    this.search = new SearchCommands(registry.search)
    this.clock = new ClockCommands(registry)
    this.#registry = registry
  }

  status(): AdminReplies['/status'] {
    const { live, sandbox } = this.#registry.environments
    const keys = this.listKeys({}).keys.length
    const webhooks = {
      live: this.webhooks.health('live'),
      sandbox: this.webhooks.health('sandbox'),
    }
    return { keys, webhooks, live: live.status(), sandbox: sandbox.status() }
  }

  clusterStatus(): ClusterStatus {
    const { cluster } = this.#registry
    if (cluster === undefined) throw noCluster()
    return cluster.status('live')
  }

  invite(): AdminReplies['/cluster/invite'] {
    const { token, expiresMs } = refusing(() => this.#nodeAdmin().invite())
    return { token, expires_at: formatTimestamp(expiresMs) }
  }

  leaveCluster(): Promise<AdminReplies['/cluster/leave']> {
    return this.#nodeAdmin().leave().catch(refuse)
  }

  #nodeAdmin(): NodeAdmin {
    const { nodeAdmin } = this.#registry
    if (nodeAdmin === undefined) throw noCluster()
    return nodeAdmin
  }

  async createKey(body: AdminBody<'/keys/create'>): Promise<KeyReply> {
    const { owner, environment = 'live', ...requested } = body
    const checked = checkNewKey({
      ...requested,
      environment,
      owner: this.#owner(owner, environment),
    })
    if (checked.type === 'invalid') throw invalid('The key cannot be made', checked.faults)
    return keyReply(await this.#keysOf(checked.key).create(checked.key, operator))
  }

  listKeys({ owner }: AdminBody<'/keys/list'>): AdminReplies['/keys/list'] {
    const wanted = owner === undefined ? undefined : readOwner(owner)
    return { keys: this.#allKeys().flatMap((keys) => keys.list(wanted)) }
  }

  async auditKeys(body: AdminBody<'/keys/audit'>): Promise<AdminReplies['/keys/audit']> {
    const { owner, after = 0, limit = pageDefault } = body
    const wanted = readOwner(owner)
    const isTest = wanted.type === 'person' && this.#isTestPerson(wanted.id)
    const { keys } = realmOf(this.#registry, isTest ? 'sandbox' : 'live')
    return { entries: await keys.audit(wanted, { after, limit }) }
  }

  async revokeKey({ id }: AdminBody<'/keys/revoke'>): Promise<AdminReplies['/keys/revoke']> {
    for (const keys of this.#allKeys()) {
      const answer = await keys.revoke(id, operator)
      if (answer.type === 'revoked') return { key: keys.show(answer.record) }
    }
    throw noKey(id)
  }

  async rotateKey({ id }: AdminBody<'/keys/rotate'>): Promise<AdminReplies['/keys/rotate']> {
    for (const keys of this.#allKeys()) {
      const answer = await keys.rotate(id, operator)
      if (answer.type === 'not_active') {
        throw new HttpError('conflict', `The key ${id} is not active; create a new one`)
      }
      if (answer.type === 'rotated') {
        return { ...keyReply(answer), replaces: id, rotate_until: answer.rotateUntil }
      }
    }
    throw noKey(id)
  }

  #allKeys(): readonly KeyStore[] {
    const { keys, sandbox } = this.#registry
    return [keys, sandbox.keys]
  }

  /** Where a new key belongs: those of test people lie with them. */
  #keysOf({ owner, environment }: NewKey): KeyStore {
    return realmOf(this.#registry, owner.type === 'person' ? environment : 'live').keys
  }

  #isTestPerson(ppid: string): boolean {
    return this.#registry.environments.sandbox.people.read(ppid) !== undefined
  }

  confirm(): Promise<AdminReplies['/keys/confirm']> {
    return this.#registry.adminCodes.issue()
  }

  async importWorks(body: AdminBody<'/works/import'>): Promise<AdminReplies['/works/import']> {
    const { works, idempotency_keys: keys, environment = 'live', allow_duplicate = false } = body
    if (keys !== undefined && keys.length !== works.length) {
      const message = 'There must be one idempotency key for each work'
      throw invalid(message, [{ field: 'idempotency_keys', code: 'bad_value', message }])
    }
    const by: Agent = { ...this.#owner(body.owner, environment), via: 'cli' }
    const registrations = works.map((work, index) => {
      const idempotencyKey = keys?.[index]
      return {
        body: work,
        by,
        allowDuplicate: allow_duplicate,
        // A collection is registered as it is: its works may have one title and one address.
        allowRepeat: true,
        dryRun: false,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(body.batch !== undefined && { batch: body.batch }),
      }
    })
    const { baseUrl, environments } = this.#registry
    const registry = { environment: environments[environment], baseUrl }
    return { results: (await registerWorks(registry, registrations)).map(importReply) }
  }

  rotateTokenKeys(
    body: AdminBody<'/token-keys/rotate'>,
  ): Promise<AdminReplies['/token-keys/rotate']> {
    if (this.#registry.cluster !== undefined) throw new HttpError('conflict', noTokenRotation)
    return this.applications.rotateTokenKeys(body)
  }

  async rotateReceiptKey(
    body: AdminBody<'/receipt-keys/rotate'>,
  ): Promise<AdminReplies['/receipt-keys/rotate']> {
    if (this.#registry.cluster !== undefined) throw new HttpError('conflict', noRotation)
    const { environment = 'live' } = body
    const { receiptKeys } = this.#registry.environments[environment]
    const answer = await this.#registry.receiptKeyFiles[environment].rotate(
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
        return { environment, old_key_id, new_key_id, rotated_at, leaf_index }
      }
    }
  }

  async fixityStatus(): Promise<AdminReplies['/fixity/status']> {
    const { live, sandbox } = this.#registry.environments
    return { live: await live.fixity.overview(), sandbox: await sandbox.fixity.overview() }
  }

  readFixity({ ark: text }: AdminBody<'/fixity/read'>): FixityReply {
    const { environment, ark } = namedWork(this.#registry.environments, text)
    const record = environment.fixity.read(ark)
    if (record === undefined) throw workNotFound(environment, ark)
    return { environment: environment.name, ...record }
  }

  async recheckContent(body: AdminBody<'/fixity/recheck'>): Promise<FixityReply> {
    const { environment, ark } = namedWork(this.#registry.environments, body.ark)
    const answer = await environment.fixity.recheck(ark, operatorAgent)
    switch (answer.type) {
      case 'queued':
        return this.readFixity(body)
      case 'not_found':
        throw workNotFound(environment, ark)
      case 'gone': {
        const message = `The work ark:/${ark} was withdrawn at ${answer.withdrawnAt}`
        throw new HttpError('gone', `${message}: its content is not checked any more`)
      }
    }
  }

  /** Who an owner is. An organization must exist in the environment that it is to act in. */
  #owner(text: string, environment: EnvironmentName): Owner {
    const { type, id } = readOwner(text)
    switch (type) {
      case 'operator':
        return operator
      case 'person':
        // A live key would find no such person, nor would a test key find a live one.
        if (environment === 'sandbox' && !this.#isTestPerson(id)) {
          throw wrongOwner(`There is no test person ${id}`)
        }
        return { type, id, name: id }
      case 'organization': {
        const known = this.#registry.environments[environment].organizations.read(id)
        if (known !== undefined) return { type, id, name: known.name }
        throw wrongOwner(`There is no organization ${id}`)
      }
    }
  }
}

function readOwner(text: string): OwnerId {
  const owner = parseOwner(text)
  if (owner !== undefined) return owner
  throw wrongOwner('An owner is org:<slug>, person:<ppid> or operator')
}

// The command asks for no more of what was registered: to spell the rest for each takes longer.
function importReply(result: ImportResult): ImportResult {
  if (result.status >= 300) return result
  const { index, status, ark_identifier, metadata_hash, replayed } = result
  return { index, status, ark_identifier, metadata_hash, ...(replayed === true && { replayed }) }
}

function keyReply({ key, record }: CreatedKey): KeyReply {
  const { id, owner, scopes, environment, expires_at } = record
  return { id, key, owner: formatOwner(owner), scopes, environment, expires_at }
}

function noKey(id: string): HttpError {
  return new HttpError('not_found', `There is no key ${id}`)
}

function wrongOwner(message: string): HttpError {
  return invalid(message, [{ field: 'owner', code: 'bad_value', message }])
}

function invalid(message: string, details: readonly FieldFault[]): HttpError {
  return new HttpError('validation_failed', message, { details })
}

function noCluster(): HttpError {
  const message = 'This registry runs on one machine alone: CLUSTER_URL is not set'
  return new HttpError('conflict', message)
}

function refusing<Given>(act: () => Given): Given {
  try {
    return act()
  } catch (error) {
    return refuse(error)
  }
}

/** Has what the cluster does not let happen be a refusal of the command. */
function refuse(error: unknown): never {
  if (error instanceof ClusterError) throw new HttpError('conflict', error.message)
  throw error
}
