import type { ClaimOutcome, PersonEntityMessage } from '#actors/claims/actor.ts'
import { checkClaim, checkStep } from '#actors/claims/checks.ts'
import {
  describeClaim,
  readKnownBeside,
  readMatch,
  readSteps,
  readWholeClaim,
} from '#actors/claims/record.ts'
import {
  awaitingPrefix,
  claimIdKey,
  type ClaimIdRow,
  decodeAwaiting,
  disputedPrefix,
  readClaim,
  readClaimants,
  readClaimed,
  readNamedClaim,
} from '#actors/claims/views.ts'
import type { ClaimCommand } from '#actors/claims/rules.ts'
import type {
  ChangeClaimAnswer,
  Claim,
  ClaimPage,
  Claims,
  MakeClaimAnswer,
} from '#actors/claims/port.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import { ask } from '#actors/kernel/kernel.ts'
import { inStrides } from '#actors/kernel/stride.ts'
import { personStream } from '#actors/people/events.ts'
import type { PersonReader, PersonSeal } from '#actors/people/record.ts'
import { decodeRow, keyPosition, positionRange, readerOf } from '#actors/journal/rows.ts'
import type { Page } from '#actors/values/page.ts'
import { assert } from '#log/base/errors.ts'
import type { ReadStore } from '#log/base/store.ts'

/** What the commands and queries on claims need. */
export type ClaimsClientOptions = {
  readonly people: Entities<PersonEntityMessage>
  readonly store: ReadStore
  readonly seal: PersonSeal
  /** The NAAN of ARKs that are given without one. */
  readonly naan: string
  readonly askTimeoutMs: number
}

/** The commands on claims, as questions to the entities of their people, and the queries. */
export function openClaims(options: ClaimsClientOptions): Claims {
  const { people, store, seal, naan, askTimeoutMs } = options
  const reader: PersonReader = { read: readerOf(store), seal }
  // A person who does not exist gets no entity.
  const send = async (ppid: string, ark: string, command: ClaimCommand): Promise<ClaimOutcome> => {
    if (reader.read(personStream(ppid)) === undefined) return { type: 'no_person' }
    return ask(people.at(ppid), { type: 'claim', ark, command }, askTimeoutMs)
  }
  return {
    async make({ ppid, body, by }) {
      const checked = checkClaim(body, naan)
      if (checked.type === 'invalid') return checked
      const { ark_identifier: ark, author_position: authorPosition, message } = checked.claim
      const position = authorPosition !== undefined && { authorPosition }
      const said = message !== undefined && { message }
      return made(await send(ppid, ark, { type: 'make', by, ...position, ...said }))
    },
    async change({ ppid, ark, step, body, by, undoes }) {
      const checked = checkStep(step, body)
      if (checked.type === 'invalid') return checked
      const { type: _, ...words } = checked
      const undone = undoes !== undefined && { undoes }
      return changed(await send(ppid, ark, { type: 'change', step, by, ...words, ...undone }))
    },
    read: (ppid, ark) => readWholeClaim(ppid, ark, reader),
    find(claimId) {
      const row = decodeRow<ClaimIdRow>(store.get(claimIdKey(claimId)))
      return row && readWholeClaim(row.ppid, row.ark, reader)
    },
    match: (claim) => readMatch(claim, reader),
    ofPerson: (ppid, page) => listClaims(ppid, page, reader),
    ofWork: (ark) => readClaimants(ark, reader.read).map((ppid) => claimOf(ppid, ark, reader)),
    awaiting: (registrant, page) => listWaiting(store, awaitingPrefix(registrant), page, reader),
    disputed: (page) => listWaiting(store, disputedPrefix, page, reader),
    knownBeside: (claim) => readKnownBeside(claim, reader),
    steps: (claim, by) => readSteps(claim, by, reader),
    worksCount: (ppid) => readClaimed(ppid, reader.read)?.works ?? 0,
  }
}

function made(outcome: ClaimOutcome): MakeClaimAnswer {
  const { type } = outcome
  assert(
    type !== 'changed' && type !== 'unchanged' && type !== 'wrong_status',
    'a claim that is made is no step',
  )
  return outcome
}

function changed(outcome: ClaimOutcome): ChangeClaimAnswer {
  // To confirm is to agree; what is disclaimed is changed, whether it was claimed or not.
  if (outcome.type === 'agreed') return { type: 'changed', claim: outcome.claim }
  assert(outcome.type !== 'claimed' && outcome.type !== 'exists', 'a step makes no claim')
  return outcome
}

function claimOf(ppid: string, ark: string, reader: PersonReader): Claim {
  return describeClaim(readNamedClaim(ppid, ark, reader.read), reader)
}

/** Those that wait for somebody, whose keys begin with `prefix`. */
async function listWaiting(
  store: ReadStore,
  prefix: string,
  page: Page<number>,
  reader: PersonReader,
): Promise<ClaimPage<number>> {
  const { limit } = page
  const claims: Claim[] = []
  let next: number | null = null
  for await (const [key, row] of inStrides(store.scan(positionRange(prefix, page)))) {
    if (claims.length === limit) return { claims, next }
    next = keyPosition(key)
    const { ppid, ark } = decodeAwaiting(row)
    claims.push(claimOf(ppid, ark, reader))
  }
  return { claims, next: null }
}

/** Each claim leads to its neighbours, so that a page needs no scan. */
function listClaims(
  ppid: string,
  { cursor, order = 'newest', limit }: Page<string>,
  reader: PersonReader,
): ClaimPage<string> {
  const { read } = reader
  const following = order === 'newest' ? 'older' : 'newer'
  let ark =
    cursor === undefined
      ? (readClaimed(ppid, read)?.[order] ?? null)
      : (readClaim(ppid, cursor, read)?.[following] ?? null)
  const claims: Claim[] = []
  let next: string | null = null
  while (ark !== null) {
    if (claims.length === limit) return { claims, next }
    next = ark
    const row = readNamedClaim(ppid, ark, read)
    claims.push(describeClaim(row, reader))
    ark = row[following]
  }
  return { claims, next: null }
}
