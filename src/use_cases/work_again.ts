import { idempotencyOf } from '#actors/journal/idempotency.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { type Agent, formatOwner } from '#actors/values/agent.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { WorkState } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

/** A withdrawn work as it can be registered again: a withdrawal is final, and so is its ARK. */
export type NewRegistration = {
  readonly type: 'registration'
  readonly metadata: Metadata
  readonly warnings: readonly FieldFault[]
}

/** What can become of a withdrawn work. `message`: the ARK of the one that it already is again. */
export type WorkAgain =
  | NewRegistration
  | { readonly type: 'registered_again'; readonly message: string }
  /** Nothing is left of its metadata. */
  | { readonly type: 'withdrawn' }
  | { readonly type: 'invalid'; readonly message: string }

/** Works that say that they are identical to one, among which that of its owner is looked for. */
const identicalMax = 200

const identical = 'IsIdenticalTo'

/** The metadata that a version of a work still has; undefined once they were erased or are lost. */
export async function metadataLeft(
  { catalogue }: Pick<ServedEnvironment, 'catalogue'>,
  { ark, identifier }: Pick<WorkState, 'ark' | 'identifier'>,
  version: number,
): Promise<Metadata | undefined> {
  const found = await catalogue.resolve(ark, identifier, version)
  return found.type === 'found' ? readJson<Resolved>(found.body).metadata : undefined
}

/** Reads a withdrawn work with the metadata of a version of it, to be registered again. */
export async function readWorkAgain(
  { catalogue, naan }: Pick<ServedEnvironment, 'catalogue' | 'naan'>,
  { ark, identifier, owner }: WorkState,
  version: number,
): Promise<WorkAgain> {
  const left = await metadataLeft({ catalogue }, { ark, identifier }, version)
  if (left === undefined) return { type: 'withdrawn' }
  const page = await catalogue.related(ark, { limit: identicalMax, side: 'in' })
  const { related } = page.type === 'found' ? readJson<Related>(page.body) : { related: [] }
  for (const { relation, stated_in, ark_identifier: other = '' } of related) {
    if (relation !== identical || stated_in !== 'related_identifiers') continue
    const named = parseArkReference(other, naan)
    const by = 'ark' in named ? catalogue.state(named.ark)?.owner : undefined
    if (by !== undefined && formatOwner(by) === formatOwner(owner)) {
      return { type: 'registered_again', message: other }
    }
  }
  const { related_identifiers: relations = [], ...rest } = left
  const old = { relation: identical, identifier, scheme: 'ARK' }
  const checked = checkNewWork({ ...rest, related_identifiers: [...relations, old] })
  if (checked.type === 'ok') return { ...checked, type: 'registration' }
  return { type: 'invalid', message: checked.faults.map(({ message }) => message).join('; ') }
}

type Resolved = { readonly metadata?: Metadata }

type Related = {
  readonly related: readonly {
    readonly relation: string
    readonly stated_in: string
    readonly ark_identifier?: string
  }[]
}

function readJson<Value>(body: Uint8Array): Value {
  return JSON.parse(Buffer.from(body).toString('utf8')) as Value
}

/**
 * Registers a withdrawn work for its owner under a new ARK, which is returned: once, whoever asks
 * for it. `batch` names the change of many works that it is a part of. Undefined where another work
 * of the registry has its DOI and title, or its `external_id`.
 */
export async function registerWorkAgain(
  environment: ServedEnvironment,
  { ark, owner }: WorkState,
  again: WorkAgain,
  { by, batch }: { readonly by: Agent; readonly batch?: string },
): Promise<string | undefined> {
  if (again.type === 'registered_again') return again.message
  if (again.type !== 'registration') return undefined
  const { metadata, warnings } = again
  const part = batch !== undefined && ({ batch, bulk: true } as const)
  const answer = await environment.works.register({
    metadata,
    warnings,
    by: { ...by, ...owner },
    allowDuplicate: false,
    allowRepeat: true,
    dryRun: false,
    idempotency: { ...idempotencyOf(`again-${ark}`, { ark }), ...part },
  })
  return answer.type === 'registered' ? answer.work.ark_identifier : undefined
}
