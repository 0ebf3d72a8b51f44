import type { Agent, Owner } from '#actors/values/agent.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { noteCharactersMax } from '#actors/works/lengths.ts'
import type { WorkState } from '#actors/works/events.ts'
import type { ChangeAnswer, EraseCommand, WithdrawalReason } from '#actors/works/port.ts'
import { checkWithdrawal } from '#actors/works/request_checks.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import type { AuditHand, NewAuditEntry } from '#src/identity/store/audit.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import { readWorkAgain, registerWorkAgain } from '#src/use_cases/work_again.ts'
import { changeRefusal, type MadeChange } from '#src/use_cases/work_change.ts'
import { type WorkLookup, workNamed } from '#src/use_cases/work_lookup.ts'

/** Why the operator takes a work down, whoever has registered it. */
export const takedownReasons = [
  'court_order',
  'rights_of_others',
  'personal_data',
  'legal',
  'fraud',
  'other',
] as const satisfies readonly WithdrawalReason[]

/** What readers are told of each reason, as the end of a sentence. */
const takedownWords: Readonly<Record<(typeof takedownReasons)[number], string>> = {
  court_order: 'Court order',
  rights_of_others: 'Rights of others',
  personal_data: 'Personal data',
  legal: 'Another legal reason',
  fraud: 'Fraud or misconduct',
  other: 'Another reason, explained below',
}

type Registry = Pick<Realms, 'oauth'> & { readonly environments: ServedEnvironments }

/** A takedown as it is asked for: `work` is an ARK, the address of a work's page, or a DOI. */
export type TakedownRequest = {
  readonly work: string
  readonly reason: string
  readonly note?: string
}

/** The work as it was, and what became of it. */
export type TakedownAnswer = {
  readonly named: ReturnType<typeof workNamed>
  readonly made: MadeChange
}

/**
 * The operator of the registry, by whichever hand: what works, histories and feeds say of it, and
 * what owners see of who it was.
 */
export function actingOperator(by: Owner, via: Agent['via']): Agent {
  const name = 'Operator of the registry'
  return { ...operator, name, via, admin: true, ...(by.type === 'person' && { member: by.id }) }
}

/** By whose hand something is done to a work of others. */
type Hand = AuditHand & { readonly via: Agent['via'] }

/**
 * Withdraws any work in the name of the operator of the registry. Its owner reads in the audit list
 * who did it, and why. HttpErrors `malformed_ark`, `not_found`, `gone`, `conflict` for a DOI of
 * several works, `validation_failed`.
 */
export async function takeDown(
  registry: Registry,
  { work: text, reason: asked, note = '' }: TakedownRequest,
  { via, ...hand }: Hand,
): Promise<TakedownAnswer> {
  const named = workNamed(registry.environments, text)
  const reason = takedownReasons.find((known) => known === asked.trim().replaceAll(/[ -]/g, '_'))
  if (reason === undefined) {
    const message = `The reason must be one of ${takedownReasons.join(', ')}.`
    throw invalidInput(notLikeThis, [{ field: 'reason', code: 'bad_value', message }])
  }
  const checked = checkWithdrawal({ reason, ...(note.trim() !== '' && { note: note.trim() }) })
  if (checked.type === 'invalid') throw invalidInput(notLikeThis, checked.faults)
  const { environment, ark } = named
  const command = { ark, by: actingOperator(hand.by, via), ...checked.withdrawal }
  const { owner } = named.state
  const because = checked.withdrawal.note ?? takedownWords[reason]
  const act = { owner, action: 'work_taken_down', ark, because } as const
  const answer = await registry.oauth.audit.noteChange(act, hand, {
    make: () => environment.works.withdraw(command),
    isMade: (made) => 'change' in made,
  })
  if (!('change' in answer)) throw changeRefusal(named, answer, 'key')
  return { named, made: answer }
}

/**
 * Whether a takedown or an erasure that was begun was made, by how its work stands now: what comes
 * between both and the end of a process.
 */
export function isMadeOf(
  { action, ark = '', at }: NewAuditEntry,
  stateOf: (ark: string) => WorkState | undefined,
): boolean {
  const { status, updated_at, erased_at } = stateOf(ark) ?? {}
  const madeAt = action === 'work_erased' ? erased_at : status === 'withdrawn' && updated_at
  return typeof madeAt === 'string' && Date.parse(madeAt) >= Date.parse(at) - skewMaxMs
}

/** Clocks of nodes differ by less. */
const skewMaxMs = 60_000

/**
 * Registers a work that is withdrawn again, for its owner and under a new ARK, which is returned: a
 * takedown itself is final. HttpErrors as of `takeDown`; `conflict` for a work that stands, whose
 * metadata was erased, or that is registered again already.
 */
export async function registerTakenDown(
  registry: Registry,
  text: string,
  { via, ...hand }: Hand,
): Promise<{ readonly named: ReturnType<typeof workNamed>; readonly newArk: string }> {
  const named = workNamed(registry.environments, text)
  const { environment, ark, state } = named
  const { owner, identifier } = state
  const refusal = (why: string) => new HttpError('conflict', `The work ${identifier} ${why}`)
  if (state.status !== 'withdrawn') throw refusal('is not withdrawn')
  const again = await readWorkAgain(environment, state, state.version)
  if (again.type === 'withdrawn') throw refusal('was erased: it cannot come back')
  if (again.type === 'registered_again') throw refusal(`is registered again: ${again.message}`)
  if (again.type === 'invalid') throw refusal(`cannot be registered again: ${again.message}`)
  const agent = actingOperator(hand.by, via)
  const newArk = await registerWorkAgain(environment, state, again, { by: agent })
  if (newArk === undefined) throw refusal('is registered again: its DOI or external_id is in use')
  const entry = { owner, action: 'work_registered_again', ark, because: newArk } as const
  await registry.oauth.audit.note(entry, hand)
  return { named, newArk }
}

/** An erasure as it is asked for: `by` is an administrator, or it is refused. */
export type Erasure = Omit<EraseCommand, 'ark'> & { readonly note?: string }

/**
 * Erases the metadata of all versions of a work, by law. Its owner reads in the audit list who did
 * it, and why, and is told by mail; what is repeated changes nothing and tells nobody. HttpError
 * `validation_failed` for a long note.
 */
export async function eraseWork(
  registry: Pick<Realms, 'oauth'>,
  { environment, ark }: Pick<WorkLookup, 'environment' | 'ark'>,
  { note = '', ...erasure }: Erasure,
  hand: Omit<Hand, 'via'>,
): Promise<ChangeAnswer> {
  if (note.length > noteCharactersMax) {
    const message = `A note has ${noteCharactersMax} characters at most, and not ${note.length}.`
    throw invalidInput(notErased, [{ field: 'note', code: 'too_long', message }])
  }
  const make = () => environment.works.erase({ ark, ...erasure })
  const owner = environment.catalogue.state(ark)?.owner
  if (owner === undefined) return make()
  const because = note.trim() === '' ? takedownWords[erasure.reason] : note.trim()
  return registry.oauth.audit.noteChange({ owner, action: 'work_erased', ark, because }, hand, {
    make,
    isMade: (answer) => answer.type === 'changed' && answer.replayed !== true,
  })
}

const notLikeThis = 'The work cannot be taken down like this'
const notErased = 'The work cannot be erased like this'
