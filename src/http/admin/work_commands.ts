import { setTimeout as sleep } from 'node:timers/promises'

import { Type } from 'typebox'

import type { Environment, Environments } from '#actors/registry/environment.ts'
import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import type { Ark } from '#actors/values/ark.ts'
import { noteCharactersMax } from '#actors/works/lengths.ts'
import { nameConflicts } from '#actors/works/request_checks.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { type ErasureReason, erasureReasons } from '#actors/works/port.ts'
import {
  type AdminRegistry,
  ark,
  command,
  environment,
  noOrganization,
  owner,
  position,
  slug,
  strings,
  wrongMember,
} from '#src/http/admin/command.ts'
import { namedOwner } from '#src/http/admin/registry_commands.ts'
import { HttpError } from '#src/edge/errors.ts'
import { formatOwner, operator, operatorAgent } from '#src/identity/store/owner_text.ts'
import {
  bulkPart,
  bulkReply,
  prepareBulkChange,
  startBulkChange,
} from '#src/use_cases/bulk_change.ts'
import {
  type BulkEdit,
  bulkEditSchema,
  bulkSelectionSchema,
  readBulkSelection,
} from '#src/use_cases/bulk_edit.ts'
import { agencies } from '#src/discovery/citation_files/record_line.ts'
import { importWorks } from '#src/use_cases/work_import.ts'
import { lineForms } from '#src/use_cases/work_drafting.ts'
import { worksOf } from '#src/use_cases/work_preparation.ts'
import { actingOperator, eraseWork, registerTakenDown, takeDown } from '#src/use_cases/takedown.ts'
import { workNamed, workNotFound } from '#src/use_cases/work_lookup.ts'

/** How long the answer to an erasure waits for the purge of the store's files. */
const purgeWaitMs = 60_000

/** Works in one bulk import, at most. */
const importWorksMax = 1_000

/** Works that one answer has looked at, at most, and bytes of metadata after which it ends. */
const lookedAtMax = 1_000
const lookedAtBytesEnough = 4 * 1_048_576

/** Authors of one work that an answer tells of: further ones are alike. */
const conflictsMax = 20

const note = Type.Optional(Type.String({ maxLength: noteCharactersMax }))

const bulkId = Type.String({ pattern: '^[0-9a-f]{28}$' })

const importBody = {
  owner,
  environment,
  works: Type.Array(Type.Unknown(), { minItems: 1, maxItems: importWorksMax }),
  // Of each, the work that it is to change; null of a new one.
  arks: Type.Optional(Type.Array(Type.Union([ark, Type.Null()]), { maxItems: importWorksMax })),
  // What becomes of the works that have the DOIs of these; without it, all of them are new.
  updates: Type.Optional(Type.Enum(['said', 'whole'])),
  // Whether works that they are related to by DOI, and that are here, are named by ARK too.
  relates: Type.Optional(Type.Boolean()),
  // Whether those that are related to nothing are passed over.
  related_only: Type.Optional(Type.Boolean()),
  // How lines are read, what each is called in messages, and whose records are no others'.
  form: Type.Optional(Type.Enum([...lineForms])),
  keys: Type.Optional(Type.Array(Type.String(), { maxItems: importWorksMax })),
  from: Type.Optional(Type.Enum([...agencies])),
  // One for each work, so that an interrupted import can be sent again.
  idempotency_keys: Type.Optional(strings(importWorksMax)),
  // What all calls of one import have in common.
  batch: Type.Optional(Type.String({ maxLength: 100 })),
  allow_duplicate: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean()),
}

/** The commands on works, and on the checking of their content. */
export const workCommands = {
  /**
   * A result for each work: the status it would have had alone, with what was registered or
   * changed, or would be, and `notes` on its entry. `carried`: how many have each field.
   */
  '/works/import': command(importBody, async (registry, body) => {
    const { works, arks, updates, idempotency_keys: keys, environment: name = 'live' } = body
    if (keys !== undefined && keys.length !== works.length) {
      throw wrongMember('idempotency_keys', 'There must be one idempotency key for each work')
    }
    if (arks !== undefined && arks.length !== works.length) {
      throw wrongMember('arks', 'There must be one ARK, or null, for each work')
    }
    const by: Agent = { ...namedOwner(registry, body.owner, name), via: 'cli' }
    const requests = works.flatMap((work, index) => {
      const named = arks?.[index] ?? undefined
      const shared = {
        index,
        by,
        allowDuplicate: body.allow_duplicate ?? false,
        // A collection is registered as it is: its works may have one title and one address.
        allowRepeat: true,
        dryRun: body.dry_run ?? false,
        ...(named !== undefined && { ark: named }),
        ...(updates !== undefined && { updates }),
        relates: body.relates ?? false,
        relatedOnly: body.related_only ?? false,
        ...(body.batch !== undefined && { batch: body.batch }),
      }
      return worksOf(work).map((each, nth) => {
        const key = keys?.[index]
        const idempotencyKey = key !== undefined && nth > 0 ? `${key}/${nth}` : key
        return { ...shared, body: each, ...(idempotencyKey !== undefined && { idempotencyKey }) }
      })
    })
    const { baseUrl, environments } = registry
    return importWorks({ environment: environments[name], baseUrl }, requests)
  }),
  /** Withdraws any work in the name of the operator, and tells its owner. */
  '/works/takedown': command({ work: ark, reason: Type.String(), note }, async (registry, body) => {
    const hand = { by: operator, via: 'cli', nowMs: registry.clockGuard.nowMs() } as const
    const { named, made } = await takeDown(registry, body, hand)
    const { ark_identifier, receipt_id, created_at } = made.change
    const { name } = named.environment
    const owned = formatOwner(named.state.owner)
    return {
      environment: name,
      ark_identifier,
      owner: owned,
      receipt_id,
      withdrawn_at: created_at,
    }
  }),
  /** Registers a withdrawn work again for its owner, who is told, under a new ARK. */
  '/works/register-again': command({ work: ark }, async (registry, { work }) => {
    const hand = { by: operator, via: 'cli', nowMs: registry.clockGuard.nowMs() } as const
    const { named, newArk } = await registerTakenDown(registry, work, hand)
    return {
      environment: named.environment.name,
      ark_identifier: named.state.identifier,
      owner: formatOwner(named.state.owner),
      new_ark: newArk,
    }
  }),
  /** Erases metadata; `is_purged`: whether the files of the store are rid of it already. */
  '/works/erase': command(
    { ark, withdraw: Type.Boolean(), reason: Type.Optional(Type.Enum([...erasureReasons])), note },
    eraseAsked,
  ),
  /** `next`: where to go on; null once all were looked at. */
  '/works/conflicts': command(
    { environment, after: position },
    ({ environments }, { environment: name = 'live', after }) =>
      findConflicts(environments[name], after),
  ),
  /** What a change of many works would do: nothing is changed before it is started. */
  '/works/change': command(
    { environment, organization: slug, edit: bulkEditSchema, selection: bulkSelectionSchema },
    async (registry, { environment: name = 'live', organization, edit, selection }) => {
      const changer = changerOf(registry.environments[name], organization)
      const source = {
        environment: registry.environments[name],
        search: { service: registry.search?.[name], searcher: { caller: 'admin' } },
        owner: changer,
        by: actorOf(changer, edit),
      }
      const wanted = readBulkSelection(selection)
      const request = { edit, selection: wanted, askedBy: operatorAgent }
      return bulkReply(await prepareBulkChange(registry.bulkChanges, source, request))
    },
  ),
  /** A part of its works: with what differs before it is started, and with outcomes afterwards. */
  '/works/change/part': command(
    { organization: slug, id: bulkId, part: Type.Integer({ minimum: 0 }) },
    async ({ environments, bulkChanges }, { organization, id, part }) => {
      const job = bulkChanges.find(organization, id)
      if (job === undefined) throw new HttpError('not_found', 'There is no such change')
      return bulkPart(environments, bulkChanges, job, part)
    },
  ),
  '/works/change/start': command(
    { organization: slug, id: bulkId },
    async (registry, { organization, id }) => {
      const { environment: name = 'live', edit = {} } =
        registry.bulkChanges.find(organization, id) ?? {}
      const by = actorOf(changerOf(registry.environments[name], organization), edit)
      const actors = { by, asked_by: operatorAgent }
      return bulkReply(await startBulkChange(registry, { slug: organization, id }, actors))
    },
  ),
  '/works/change/stop': command({ organization: slug, id: bulkId }, async (registry, body) =>
    bulkReply(await registry.bulkChanges.stop(body.organization, body.id)),
  ),
  '/works/change/read': command({ organization: slug, id: bulkId }, ({ bulkChanges }, body) => {
    const job = bulkChanges.find(body.organization, body.id)
    if (job === undefined) throw new HttpError('not_found', 'There is no such change')
    return bulkReply(job)
  }),
  '/fixity/status': command({}, async ({ environments: { live, sandbox } }) => ({
    live: await live.fixity.overview(),
    sandbox: await sandbox.fixity.overview(),
  })),
  '/fixity/read': command({ ark }, ({ environments }, { ark: text }) =>
    fixityReply(namedWork(environments, text)),
  ),
  /** The work's record as it was when the check was queued. */
  '/fixity/recheck': command({ ark }, async ({ environments }, { ark: text }) => {
    const work = namedWork(environments, text)
    const answer = await work.environment.fixity.recheck(work.ark, operatorAgent)
    switch (answer.type) {
      case 'queued':
        return fixityReply(work)
      case 'not_found':
        throw workNotFound(work.environment, work.ark)
      case 'gone': {
        const message = `The work ark:/${work.ark} was withdrawn at ${answer.withdrawnAt}`
        throw new HttpError('gone', `${message}: its content is not checked any more`)
      }
    }
  }),
}

type LocatedWork = { readonly environment: Environment; readonly ark: Ark }

/** The work that a text names, with all that a command can have done to it; as `workNamed`. */
function namedWork(environments: Environments, text: string): LocatedWork {
  const found = workNamed(environments, text)
  return { environment: environments[found.environment.name], ark: found.ark }
}

type EraseBody = {
  readonly ark: string
  readonly withdraw: boolean
  readonly reason?: ErasureReason
  readonly note?: string
}

/** Erases the metadata of a work, and answers when the files of the store are rid of it too. */
async function eraseAsked(
  registry: AdminRegistry,
  { ark: text, withdraw: withdraws, reason = 'legal', note: said = '' }: EraseBody,
) {
  const work = namedWork(registry.environments, text)
  const erasure = { reason, note: said, withdraws, by: operatorAgent }
  const hand = { by: operator, nowMs: registry.clockGuard.nowMs() }
  const answer = await eraseWork(registry, work, erasure, hand)
  if (answer.type === 'not_withdrawn') {
    const message = `The work ark:/${work.ark} is not withdrawn`
    throw new HttpError('conflict', `${message}: withdraw it first, or with --withdraw`)
  }
  // The operator may erase every work, so all that is left to be wrong is the ARK.
  if (!('change' in answer)) throw workNotFound(work.environment, work.ark)
  const { name } = work.environment
  const { ark_identifier, created_at: erased_at } = answer.change
  const forgotten = registry.search?.[name].settled()
  const purged = Promise.all([work.environment.purged(), forgotten]).then(([isPurged]) => isPurged)
  const is_purged = await Promise.race([purged, sleep(purgeWaitMs, false, { ref: false })])
  const unchanged = answer.type === 'unchanged'
  return { environment: name, ark_identifier, erased_at, unchanged, is_purged }
}

/** The works, of some in the order of their changes, whose two fields of authors disagree. */
async function findConflicts({ harvest }: Environment, after: number | undefined) {
  const { places, hasMore } = await harvest.places(
    { from: 0, until: harvest.newest() },
    { ...(after !== undefined && { after }), limit: lookedAtMax, bytesEnough: lookedAtBytesEnough },
  )
  const works = places.flatMap(({ state, written }) => {
    if (written === undefined) return []
    const metadata = JSON.parse(Buffer.from(written.metadata).toString('utf8')) as Metadata
    const conflicts = nameConflicts(metadata).slice(0, conflictsMax)
    const { identifier: ark_identifier, version } = state
    return conflicts.length === 0 ? [] : [{ ark_identifier, version, conflicts }]
  })
  const next = hasMore ? (places.at(-1)?.changed.position ?? null) : null
  return { works, looked_at: places.length, next }
}

/** Whoever changes works of an organization by command. HttpError `not_found`. */
function changerOf({ organizations }: Environment, id: string): Agent & OwnerRef {
  const found = organizations.read(id)
  if (found === undefined) throw noOrganization(id)
  return { type: 'organization', id, name: found.name, via: 'cli' }
}

/** What an operator undoes is published as the operator's own act, and not the organization's. */
function actorOf(organization: Agent, { undo }: BulkEdit): Agent {
  return undo === undefined ? organization : actingOperator(operator, 'cli')
}

/** What is known of the content of a work, and in which environment. */
function fixityReply(work: LocatedWork) {
  const { name, fixity } = work.environment
  const record = fixity.read(work.ark)
  if (record === undefined) throw workNotFound(work.environment, work.ark)
  return { environment: name, ...record }
}
