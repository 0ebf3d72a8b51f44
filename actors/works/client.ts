import { type Idempotency, type RequestKey, requestKeyOf } from '#actors/journal/idempotency.ts'
import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask } from '#actors/kernel/kernel.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import { SerializedValue } from '#actors/kernel/serialized_value.ts'
import { digestOf } from '#actors/receipts/metadata_digest.ts'
import { checkCharacter, checkZoneMax } from '#actors/values/ark.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/betanumeric.ts'
import type { WorkMessage } from '#actors/works/actor.ts'
import type { ChangeAnswer, RegisterAnswer, RegisterCommand, Works } from '#actors/works/port.ts'
import { duplicateKey, refuseDuplicate, replay, sharedDoi } from '#actors/works/registration.ts'
import { workStream } from '#actors/works/events.ts'
import type { Change } from '#actors/works/rules.ts'
import { assert } from '#log/base/errors.ts'
import type { ReadStore } from '#log/base/store.ts'

/** What the commands on works need: the entities they go to, and what new ARKs are made from. */
export type WorksClientOptions = {
  readonly works: Entities<WorkMessage>
  readonly store: ReadStore
  readonly naan: string
  readonly shoulder: string
  /** Whether ARKs are minted in their dated form. */
  readonly dated: boolean
  readonly random: RandomBytes
  /** The time, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  readonly now: () => string
  readonly askTimeoutMs: number
}

/** Names that are drawn for one work: each is free with a chance close to one. */
const drawsMax = 16

/** The commands on works, as questions to their entities. */
export function openWorks(options: WorksClientOptions): Works {
  const { works, store, askTimeoutMs } = options
  const read = readerOf(store)
  // Whether there is such a work its entity says: another node may have registered it just now.
  const change = async (
    ark: string,
    { idempotency, ...command }: WithKey<Change>,
  ): Promise<ChangeAnswer> => {
    const keyed = requestKeyOf(command.by, idempotency, `${workStream(ark)} ${command.type}`)
    const named = { ...command, ...(keyed && { idempotency: keyed }) } as Change
    return ask(works.at(ark), named, askTimeoutMs)
  }
  return {
    register(command) {
      const keyed = requestKeyOf(command.by, command.idempotency)
      return register(command, keyed, { ...options, read })
    },
    update: ({ ark, ...command }) => change(ark, { type: 'update', ...command }),
    undoUpdate: ({ ark, ...command }) => change(ark, { type: 'update', ...command }),
    addVersion: ({ ark, ...command }) => change(ark, { type: 'add_version', ...command }),
    withdraw: ({ ark, ...command }) => change(ark, { type: 'withdraw', ...command }),
    erase: ({ ark, ...command }) => change(ark, { type: 'erase', ...command }),
  }
}

/** A command as the port takes it, with the client's own name for the request. */
type WithKey<C> = C extends Change
  ? Omit<C, 'idempotency'> & { readonly idempotency?: Idempotency }
  : never

async function register(
  wanted: RegisterCommand,
  keyed: RequestKey | undefined,
  { read, ...options }: WorksClientOptions & { readonly read: ReadRow },
): Promise<RegisterAnswer> {
  const { metadata, by, allowDuplicate, allowRepeat, dryRun, warnings: known } = wanted
  const refusal = dryRun ? tryOut(wanted, keyed, { at: options.now(), read }) : undefined
  if (refusal !== undefined) return refusal
  const warnings = [...known, ...sharedDoi(metadata, read)]
  if (dryRun) return { type: 'valid', warnings }
  const { works, naan, shoulder, dated, random, askTimeoutMs } = options
  const { text, hash: metadataHash } = digestOf(metadata)
  const sent = { serialized: new SerializedValue(text, metadata), metadataHash }
  const asked = { ...sent, by, allowDuplicate, allowRepeat, warnings, dated } as const
  const command = { type: 'register', ...asked, ...(keyed && { idempotency: keyed }) } as const
  for (let draws = 0; draws < drawsMax; draws += 1) {
    const ark = `${naan}/${mintName({ naan, shoulder, random })}`
    const answer = await ask(works.at(ark), command, askTimeoutMs)
    if (answer.type !== 'name_taken') return answer
  }
  throw new ActorError('overloaded', `no free name was found in ${drawsMax} draws`)
}

/** What a registration would be refused with, or be the answer to; undefined if to nothing. */
function tryOut(
  wanted: RegisterCommand,
  keyed: RequestKey | undefined,
  { at, read }: { readonly at: string; readonly read: ReadRow },
): RegisterAnswer | undefined {
  const replayed = keyed && replay(keyed, read)
  if (replayed !== undefined) return replayed
  const key = duplicateKey(wanted)
  const holder = key && read(key)
  return holder ? refuseDuplicate(holder, wanted.metadata, { at, read }) : undefined
}

/** Random characters of a minted name: 29^8, or 5·10^11, names for each shoulder. */
export const bladeCharacters = 8

// A quarter of all names is fit, so that one draw of this many nearly always has one.
const namesPerDraw = 8
// As many draws without a fit name mean a broken source of randomness.
const fitDrawsMax = 100

// Path tails that the interface gives a meaning of its own.
const tail = /^(?:v\d+|versions|history|verify|claim|withdraw|citation)$/
const consonantRun = /[a-z]{3}/

/**
 * Mints a name: the shoulder, random betanumerics, and the check character over `naan/name`. Draws
 * again while the name has three consonants in a row or reads as a path tail such as `v2`.
 */
export function mintName({
  naan,
  shoulder,
  random,
}: {
  readonly naan: string
  readonly shoulder: string
  readonly random: RandomBytes
}): string {
  const zoneCharacters = naan.length + 1 + shoulder.length + bladeCharacters
  assert(zoneCharacters <= checkZoneMax, 'the check character covers the whole zone')
  for (let draws = 0; ; draws++) {
    assert(draws < fitDrawsMax, 'random bytes lead to a fit name')
    const blades = randomBetanumerics(namesPerDraw * bladeCharacters, random)
    for (let at = 0; at < blades.length; at += bladeCharacters) {
      const blade = blades.slice(at, at + bladeCharacters)
      // Most are unfit for it, so it is seen before the check character is computed.
      if (consonantRun.test(blade)) continue
      const stem = shoulder + blade
      const name = stem + checkCharacter(`${naan}/${stem}`)
      if (isFit(name, shoulder)) return name
    }
  }
}

function isFit(name: string, shoulder: string): boolean {
  return !consonantRun.test(name.slice(shoulder.length)) && !readsAsTail(name)
}

/** Whether a name would be taken for the tail of a path. */
export function readsAsTail(name: string): boolean {
  return tail.test(name)
}
