import { type RequestKey, requestKeyOf } from '#actors/journal/idempotency.ts'
import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask } from '#actors/kernel/kernel.ts'
import type { Shards } from '#actors/kernel/shards.ts'
import type { RandomBytes } from '#actors/values/betanumeric.ts'
import type { WorkMessage } from '#actors/works/actor.ts'
import { mintName } from '#actors/works/minter.ts'
import type { ChangeAnswer, RegisterAnswer, RegisterCommand, Works } from '#actors/works/port.ts'
import { readWork } from '#actors/works/record.ts'
import { duplicateKeyOf, duplicateOf, replay, sharedDoi } from '#actors/works/registration.ts'
import type { WorkCommand } from '#actors/works/rules.ts'
import type { Store } from '#log/store.ts'

/** What the commands on works need: the entities they go to, and what new ARKs are made from. */
export type WorksClientOptions = {
  readonly works: Shards<WorkMessage>
  readonly store: Store
  readonly naan: string
  readonly shoulder: string
  /** Whether ARKs are minted in their dated form. */
  readonly dated: boolean
  readonly random: RandomBytes
  readonly askTimeoutMs: number
}

/** Names that are drawn for one work: each is free with a chance close to one. */
const drawsMax = 16

/** The commands on works, as questions to their entities. */
export function openWorks(options: WorksClientOptions): Works {
  const { works, store, askTimeoutMs } = options
  const read = readerOf(store)
  // A work that does not exist gets no entity.
  const change = async (
    ark: string,
    command: Exclude<WorkCommand, { type: 'register' }>,
  ): Promise<ChangeAnswer> => {
    if (readWork(ark, read) === undefined) return { type: 'not_found' }
    return ask(works.at(ark), command, askTimeoutMs)
  }
  // Keyed requests that are not answered yet.
  const inFlight = new Set<string>()
  return {
    async register(command) {
      const keyed = requestKeyOf(command.by, command.idempotency)
      if (keyed === undefined) return register(command, undefined, { ...options, read })
      if (inFlight.has(keyed.key)) return { type: 'idempotency_in_flight' }
      inFlight.add(keyed.key)
      try {
        return await register(command, keyed, { ...options, read })
      } finally {
        inFlight.delete(keyed.key)
      }
    },
    update: ({ ark, ...command }) => change(ark, { type: 'update', ...command }),
    undoUpdate: ({ ark, ...command }) => change(ark, { type: 'update', ...command }),
    addVersion: ({ ark, ...command }) => change(ark, { type: 'add_version', ...command }),
    withdraw: ({ ark, ...command }) => change(ark, { type: 'withdraw', ...command }),
    erase: ({ ark, ...command }) => change(ark, { type: 'erase', ...command }),
  }
}

async function register(
  { metadata, by, allowDuplicate, dryRun, warnings: known }: RegisterCommand,
  keyed: RequestKey | undefined,
  { read, ...options }: WorksClientOptions & { readonly read: ReadRow },
): Promise<RegisterAnswer> {
  const refusal = dryRun ? tryOut(metadata, keyed, { allowDuplicate, read }) : undefined
  if (refusal !== undefined) return refusal
  const warnings = [...known, ...sharedDoi(metadata, read)]
  if (dryRun) return { type: 'valid', warnings }
  const { works, naan, shoulder, dated, random, askTimeoutMs } = options
  const asked = { metadata, by, allowDuplicate, warnings, dated } as const
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
  metadata: RegisterCommand['metadata'],
  keyed: RequestKey | undefined,
  { allowDuplicate, read }: { readonly allowDuplicate: boolean; readonly read: ReadRow },
): RegisterAnswer | undefined {
  const replayed = keyed && replay(keyed, read)
  if (replayed !== undefined) return replayed
  const listKey = allowDuplicate ? undefined : duplicateKeyOf(metadata)
  const holder = listKey && read(listKey)
  return holder ? duplicateOf(holder, read) : undefined
}
