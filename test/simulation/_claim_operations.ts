import assert from 'node:assert/strict'
import type { Agent } from '#actors/values/agent.ts'
import type { Claim, ClaimPage } from '#actors/people/claims/port.ts'
import { claimSteps } from '#actors/people/events.ts'
import type { Page } from '#actors/journal/rows.ts'
import { admin, demo } from '#test/actors/_environment.ts'
import { onPages, publisherFor } from '#test/actors/_person.ts'
import type { Ports } from '#test/simulation/_answers.ts'

/** Whom a claim is about. */
type Subject = { readonly ppid: string; readonly ark: string }

const words = {
  confirm: { confirm_mismatch: 'It is so' },
  contest: { reason: 'It is not so' },
}

/** What clients were told of claims, which must hold for ever. */
export class ClaimPromises {
  /** The newest claim that was told, by person and work. */
  readonly #told = new Map<string, Claim>()

  /** Some client says something of the claim of a person on a work. */
  async run({ claims }: Ports, random: () => number, subject: Subject): Promise<void> {
    const { ppid, ark } = subject
    const agents: readonly Agent[] = [onPages(ppid), demo, publisherFor(ppid), admin]
    const by = agents[Math.floor(random() * agents.length)] ?? admin
    if (random() < 0.5) {
      const body = { ark_identifier: ark, author_position: 1, message: `I am ${ppid}` }
      const answer = await claims.make({ ppid, body, by })
      assert.notEqual(answer.type, 'invalid')
      if ('claim' in answer) this.#note(answer.claim)
      return
    }
    const step = claimSteps[Math.floor(random() * claimSteps.length)] ?? 'withdraw'
    const body = step in words && { body: words[step as keyof typeof words] }
    const answer = await claims.change({ ppid, ark, step, by, ...body })
    assert.notEqual(answer.type, 'invalid')
    if ('claim' in answer) this.#note(answer.claim)
  }

  #note(claim: Claim): void {
    const name = `${claim.ppid} ${claim.ark}`
    const known = this.#told.get(name)
    if (known !== undefined) checkSame(claim, known)
    if (known === undefined || known.updated_at <= claim.updated_at) this.#told.set(name, claim)
  }

  /** Asks for the claims of a person, at one moment, while others change them. */
  query({ claims, people, catalogue }: Ports, ppid: string): void {
    const listed = readAll((place) => claims.ofPerson(ppid, { limit: 2, ...place }))
    const forward = readAll((place) =>
      claims.ofPerson(ppid, { order: 'oldest', limit: 2, ...place }),
    )
    assert.deepEqual(forward, listed.toReversed(), 'claims are one list in both orders')
    const isThere = people.read(ppid)?.type === 'person'
    for (const claim of listed) {
      assert(isThere, 'who is erased has no claims')
      assert.deepEqual(claims.read(ppid, claim.ark), claim)
      assert.deepEqual(claims.find(claim.claim_id), claim)
      assert.deepEqual(
        claims.ofWork(claim.ark).filter((other) => other.ppid === ppid),
        [claim],
      )
      const isErased = catalogue.state(claim.ark)?.erased_at !== undefined
      assert.equal(claims.match(claim) === undefined, isErased)
    }
    for (const known of this.#told.values()) {
      if (known.ppid !== ppid || !isThere) continue
      const claim = listed.find(({ ark }) => ark === known.ark)
      assert(claim !== undefined, `the acknowledged claim ${known.claim_id} is lost`)
      assert(claim.updated_at >= known.updated_at, `a change of ${known.claim_id} is lost`)
      checkSame(claim, known)
    }
    const counted = listed.filter(
      ({ status, ark }) => status === 'verified' && catalogue.state(ark)?.status === 'registered',
    )
    assert.equal(claims.worksCount(ppid), counted.length)
  }

  /** Holds a registry to what was told, and the claims of all people to one another. */
  async check(ports: Ports, ppids: readonly string[]): Promise<void> {
    const { claims, catalogue, holdings } = ports
    const all: Claim[] = []
    for (const ppid of ppids) {
      this.query(ports, ppid)
      all.push(...readAll((place) => claims.ofPerson(ppid, { limit: 2, ...place })))
    }
    const waiting = all.filter(
      ({ status, waits_for }) => status === 'pending' && waits_for === 'registrant',
    )
    const disputed = all.filter(({ status }) => status === 'disputed')
    assert.deepEqual(await allIds((page) => claims.awaiting(demo, page)), idsOf(waiting))
    assert.deepEqual(await allIds((page) => claims.disputed(page)), idsOf(disputed))
    const authors = all.filter(
      ({ status, ark }) => status === 'verified' && catalogue.state(ark)?.status === 'registered',
    )
    const { people_count } = holdings.counts(demo)
    assert.equal(people_count, new Set(authors.map(({ ppid }) => ppid)).size)
  }
}

function idsOf(claims: readonly Claim[]): string[] {
  return claims.map(({ claim_id }) => claim_id).sort()
}

/** The ids of all claims of a list, in the order of ids. */
async function allIds(
  read: (page: Page<number>) => Promise<ClaimPage<number>>,
): Promise<readonly string[]> {
  const found: Claim[] = []
  let cursor: number | undefined
  do {
    const page = await read({ limit: 2, ...(cursor && { cursor }) })
    found.push(...page.claims)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return idsOf(found)
}

/** What does not change of a claim. */
function checkSame(claim: Claim, known: Claim): void {
  assert.equal(claim.claim_id, known.claim_id, 'a person has one claim on a work')
  assert.equal(claim.created_at, known.created_at)
  assert.equal(claim.ark_identifier, known.ark_identifier)
}

function readAll(
  read: (place: { readonly cursor?: string }) => {
    readonly claims: readonly Claim[]
    readonly next: string | null
  },
): readonly Claim[] {
  const found: Claim[] = []
  let next: string | null = null
  do {
    const page = read(next === null ? {} : { cursor: next })
    found.push(...page.claims)
    next = page.next
  } while (next !== null)
  return found
}
