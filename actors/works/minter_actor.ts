import { ActorError, asActorError } from '#actors/kernel/actor_error.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/betanumeric.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { ProposalRefused } from '#actors/journal/journal.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import { mintName } from '#actors/works/minter.ts'
import { receiptSuffixCharacters } from '#actors/receipts/statement.ts'
import { propose, type Proposer } from '#actors/works/proposal.ts'
import { type Accepted, decide, type WorkCommand } from '#actors/works/rules.ts'
import type { WorkChange } from '#actors/works/port.ts'
import { assert } from '#log/errors.ts'

type RegisterCommand = Extract<WorkCommand, { readonly type: 'register' }>

/** A work to register, but for what the minter adds: its ARK, the time, its receipt's name. */
export type MintAsk = Omit<RegisterCommand, 'ark' | 'at' | 'dated' | 'receiptSuffix'>

/** What minting leads to. `taken`: a row of `unique` exists, `holder` is its value. */
export type MintOutcome =
  | { readonly type: 'minted'; readonly change: WorkChange }
  | Extract<ProposalRefused, { type: 'taken' }>

/** What the minter understands. `unique` are rows that must not exist yet. */
export type MinterMessage = {
  readonly type: 'mint'
  readonly command: MintAsk
  readonly unique: readonly string[]
  readonly reply: Reply<MintOutcome>
}

/** What new ARKs are made from, and how they are committed. */
export type MinterOptions = Proposer & {
  readonly naan: string
  readonly shoulder: string
  /** Whether ARKs are minted in their dated form. */
  readonly dated: boolean
  readonly clock: Clock
  readonly random: RandomBytes
  /** Registrations under way at one time, at most. */
  readonly mintsMax: number
}

/** Times a registration is decided anew: a name is free with a chance close to one. */
const decisionsMax = 16

/**
 * Registers works under names of their own. Nobody else can know a name before its work is
 * committed, so registrations do not wait for one another, and a work gets an actor of its own only
 * when it is changed.
 */
export class MinterActor {
  readonly #options: MinterOptions
  #mints = 0
  #whenIdle: PromiseWithResolvers<void> | undefined

  constructor(options: MinterOptions) {
    this.#options = options
  }

  receive(message: MinterMessage): void {
    if (this.#mints < this.#options.mintsMax) void this.#answer(message)
    else message.reply.reject(new ActorError('overloaded', 'too many works are being registered'))
  }

  /** Resolves once every registration that has begun is answered. */
  idle(): Promise<void> {
    if (this.#mints === 0) return Promise.resolve()
    this.#whenIdle ??= Promise.withResolvers()
    return this.#whenIdle.promise
  }

  async #answer({ command, unique, reply }: MinterMessage): Promise<void> {
    this.#mints += 1
    try {
      reply.resolve(await this.#mint(command, unique))
    } catch (error) {
      reply.reject(asActorError(error, 'a work could not be registered'))
    }
    this.#mints -= 1
    if (this.#mints === 0) this.#whenIdle?.resolve()
  }

  async #mint(command: MintAsk, unique: readonly string[]): Promise<MintOutcome> {
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const { ark, decision } = this.#decide(command)
      const at = decision.change.created_at
      const change = { ark, expectedSeq: 0, at, decision, unique }
      const answer = await propose(this.#options, change)
      if (answer.type === 'committed') return { type: 'minted', change: decision.change }
      // Any other refusal is of the name, of the receipt's name, or of the time.
      if (answer.type === 'taken' && unique.includes(answer.key)) return answer
    }
    throw new ActorError('overloaded', 'no free name was found, or the clock was too far behind')
  }

  #decide(command: MintAsk): { readonly ark: string; readonly decision: Accepted } {
    const { naan, shoulder, dated, clock, random } = this.#options
    const ark = `${naan}/${mintName({ naan, shoulder, random })}`
    const at = formatTimestamp(clock.nowMs())
    const receiptSuffix = randomBetanumerics(receiptSuffixCharacters, random)
    const decision = decide(undefined, { ...command, ark, dated, at, receiptSuffix })
    assert(decision.type === 'accepted', 'a work that does not exist can be registered')
    return { ark, decision }
  }
}
