import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import type { Agent } from '#actors/values/agent.ts'
import { positionOf } from '#actors/people/claims/match.ts'
import type { ClaimRow } from '#actors/people/claims/views.ts'
import {
  type ClaimCase,
  type ClaimCommand,
  type ClaimDecision,
  decideClaim,
  openSteps,
} from '#actors/people/claims/rules.ts'
import type { WorkState } from '#actors/works/events.ts'
import { orcid, otherOrcid, twoAuthors } from '#test/actors/people/claims/_claim.ts'
import { admin, demo, metadataOf, other } from '#test/actors/_environment.ts'
import { ada, bob, onPages, publisherFor } from '#test/actors/_person.ts'
import { type ClaimStatus, claimSteps } from '#actors/people/events.ts'

const researcher = onPages(ada)
const deputy: Agent = { ...researcher, via: 'oauth', client_id: 'free' }
const ark = '12345/k2a'
const metadata = metadataOf('Claimed', twoAuthors)

/** The case of a claim in a test; of a work that `demo` registered. */
function caseOf(change: Partial<ClaimCase> = {}): ClaimCase {
  const work = { ark, owner: demo, status: 'registered', updated_at: 'then' }
  return {
    claim: undefined,
    claimId: 'claim_new',
    ppid: ada,
    orcid: undefined,
    claimant: { name: 'Charles Babbage' },
    work: work as unknown as WorkState,
    metadata,
    ...change,
  }
}

function make(by: Agent, more: { authorPosition?: number; message?: string } = {}): ClaimCommand {
  return { type: 'make', by, authorPosition: 2, ...more }
}

/** What is committed of a decision. */
function dataOf(decision: ClaimDecision) {
  if (decision.type !== 'accepted') throw new Error(decision.type)
  return decision.draft.data
}

/** The steps that are open are those that would change something. */
function checkOpenSteps(t: ExecutionContext, subject: ClaimCase, by: Agent): void {
  const words = { reason: 'why', confirmMismatch: 'It is so' }
  const steps = claimSteps.filter((step) => {
    return decideClaim(subject, { type: 'change', step, by, ...words }).type === 'accepted'
  })
  t.deepEqual(openSteps(subject, by), steps)
}

test('who makes a claim decides for whose word it waits', (t) => {
  for (const [by, type, waits_for] of [
    [researcher, 'pending', 'registrant'],
    [deputy, 'pending', 'registrant'],
    [publisherFor(ada, 'other'), 'pending', 'registrant'],
    [demo, 'pending', 'researcher'],
    [admin, 'pending', 'researcher'],
    // An application never speaks for its organization.
    [publisherFor(ada, 'demo'), 'pending', 'registrant'],
  ] as const) {
    const data = dataOf(decideClaim(caseOf(), make(by)))
    t.like(data, { claim_id: 'claim_new', ark, status: type, waits_for })
  }
  for (const by of [other, onPages(bob), publisherFor(bob, 'other')]) {
    t.deepEqual(decideClaim(caseOf(), make(by)), { type: 'forbidden' })
  }
})

test('a message is sealed, and not in the event', (t) => {
  const decision = decideClaim(caseOf(), make(researcher, { message: 'It is me' }))
  if (decision.type !== 'accepted') return t.fail()
  t.deepEqual(decision.draft.personal, { before: {}, after: { message: 'It is me' } })
  t.false(JSON.stringify(decision.draft.data).includes('It is me'))
})

test('the place of an ORCID iD must be the one that is claimed', (t) => {
  t.is(positionOf(orcid, metadata), 2)
  t.is(positionOf(otherOrcid, metadata), undefined)
  t.is(positionOf(undefined, metadata), undefined)
  t.is(positionOf(orcid, undefined), undefined)
  const statusOf = (authorPosition?: number) =>
    dataOf(
      decideClaim(
        caseOf({ orcid }),
        make(researcher, authorPosition === undefined ? {} : { authorPosition }),
      ),
    ).status
  t.is(statusOf(), 'verified')
  t.is(statusOf(2), 'verified')
  t.is(statusOf(1), 'pending')
  // An organization cannot claim for a person what their iD would verify.
  t.is(dataOf(decideClaim(caseOf({ orcid }), make(demo))).status, 'pending')
})

test('the one author of a work is said to be one', (t) => {
  const one = metadataOf('One', { authors: 'Ada Lovelace' })
  const answer = decideClaim(caseOf({ metadata: one }), make(researcher, { authorPosition: 2 }))
  t.deepEqual(answer.type === 'invalid' && answer.faults, [
    {
      field: 'author_position',
      code: 'bad_value',
      message: 'author_position must be 1: the work has one author',
    },
  ])
})

// The claims of the model: who may do what, told once more in other words.

type Model = {
  status: ClaimStatus | 'none'
  waits: 'registrant' | 'researcher'
  isByAdmin: boolean
  isBlocked: boolean
}

const agents = {
  researcher,
  deputy,
  registrant: demo,
  registrantsDeputy: publisherFor(ada, 'demo'),
  admin,
  stranger: other,
} as const

type AgentName = keyof typeof agents

/** The status that a command of the model leads to; undefined if it changes nothing. */
function expected(model: Model, action: string, who: AgentName, named: boolean): Model | undefined {
  const isSelf = who === 'researcher'
  const speaksForPerson = isSelf || who === 'deputy' || who === 'registrantsDeputy'
  const speaksForWork = who === 'registrant'
  const isAdmin = who === 'admin'
  const verified = { ...model, status: 'verified', isByAdmin: false } as const
  if (action === 'review') {
    const isOpen = model.status === 'pending' && model.waits === 'registrant'
    return isOpen && named ? verified : undefined
  }
  if (who === 'stranger') return undefined
  const answers = model.waits === 'registrant' ? speaksForWork : speaksForPerson
  const answersHere = model.waits === 'registrant' ? speaksForWork : isSelf
  const { status } = model
  switch (action) {
    case 'make': {
      if (model.isBlocked && !isSelf) return undefined
      if (status === 'none' || status === 'withdrawn') {
        return {
          status: speaksForPerson && named ? 'verified' : 'pending',
          waits: speaksForPerson ? 'registrant' : 'researcher',
          isByAdmin: false,
          isBlocked: false,
        }
      }
      const isOpen = status === 'pending' || (status === 'rejected' && !model.isByAdmin)
      const adminAnswers = isAdmin && model.waits === 'registrant'
      return isOpen && (answers || adminAnswers) ? verified : undefined
    }
    case 'confirm': {
      if (status === 'disputed') return speaksForWork || isAdmin ? verified : undefined
      if (status !== 'pending' && status !== 'rejected') return undefined
      return isAdmin || (answersHere && !model.isByAdmin) ? verified : undefined
    }
    case 'reject': {
      if (status === 'none' || status === 'rejected' || status === 'withdrawn') return undefined
      if (isAdmin) return { ...model, status: 'rejected', isByAdmin: true }
      return status === 'pending' && answersHere ? { ...model, status: 'rejected' } : undefined
    }
    case 'contest': {
      const disputed = { ...model, status: 'disputed', isByAdmin: false } as const
      if (status === 'verified') return speaksForWork || isAdmin ? disputed : undefined
      const isTheirs = status === 'rejected' && model.waits === 'registrant'
      return isTheirs && isSelf ? disputed : undefined
    }
    default:
      return undefined
  }
}

function evolve(claim: ClaimRow | undefined, decision: ClaimDecision, by: Agent) {
  const { basis: _, blocked: __, ...kept } = claim ?? ({} as ClaimRow)
  const made = decision.type === 'accepted' && decision.draft.type === 'ClaimMade'
  const standing = made ? {} : { ...kept, ...(claim?.blocked && { blocked: true }) }
  return { ppid: ada, source: by, ...standing, ...dataOf(decision) } as ClaimRow
}

const actions = ['make', ...claimSteps, 'review'] as const

test('model: only who may has a claim change, and it changes as its states say', (t) => {
  const action = fc.constantFrom(...actions)
  const who = fc.constantFrom(...(Object.keys(agents) as AgentName[]))
  const step = fc.record({ action, who, named: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let claim: ClaimRow | undefined
      let model: Model = {
        status: 'none',
        waits: 'registrant',
        isByAdmin: false,
        isBlocked: false,
      }
      for (const asked of steps) {
        const by = agents[asked.who]
        const command: ClaimCommand =
          asked.action === 'make' || asked.action === 'review'
            ? asked.action === 'make'
              ? make(by)
              : { type: asked.action, by }
            : { type: 'change', step: asked.action, by, reason: 'why' }
        const subject = caseOf({ claim, ...(asked.named && { orcid }) })
        checkOpenSteps(t, subject, by)
        const decision = decideClaim(subject, command)
        const next = modelAfter(model, claim, asked)
        t.is(decision.type === 'accepted', next !== undefined, JSON.stringify({ model, asked }))
        if (decision.type !== 'accepted' || next === undefined) continue
        const from = 'from' in decision.draft.data ? decision.draft.data.from : undefined
        if (from !== undefined) t.true(from === claim?.status)
        claim = evolve(claim, decision, by)
        model = next
        t.true(claim.status === model.status, JSON.stringify({ model, asked }))
        t.is(claim.blocked === true, model.isBlocked)
        t.is(claim.status === 'verified' && claim.basis === undefined, false)
      }
    }),
    { numRuns: 1_000 },
  )
})

/** What the model expects, withdrawals included, which hang on who made the claim. */
function modelAfter(
  model: Model,
  claim: ClaimRow | undefined,
  { action, who, named }: { action: string; who: AgentName; named: boolean },
): Model | undefined {
  const isSelf = who === 'researcher'
  const withdrawn = { ...model, status: 'withdrawn', isByAdmin: false } as const
  if (action === 'disclaim') {
    const may = (isSelf || who === 'admin') && !model.isBlocked
    return may ? { ...withdrawn, isBlocked: true } : undefined
  }
  if (action === 'withdraw') {
    if (claim === undefined || model.status === 'withdrawn') return undefined
    const { type, id, client_id } = agents[who]
    const { source } = claim
    const isClient = client_id === source.client_id || who === 'registrant'
    const isMaker = type === source.type && id === source.id && isClient
    return isSelf || (isMaker && model.status === 'pending') ? withdrawn : undefined
  }
  return expected(model, action, who, named)
}

test('a claim names its place where there are several authors', (t) => {
  const wish = { type: 'make', by: researcher } as const
  const refused = {
    type: 'invalid',
    faults: [
      {
        field: 'author_position',
        code: 'required',
        message: 'author_position is required: say which of the 2 authors, from 1 on',
      },
    ],
  }
  t.deepEqual(decideClaim(caseOf(), wish), refused)
  t.deepEqual(decideClaim(caseOf(), { ...wish, by: demo }), refused)
  t.like(dataOf(decideClaim(caseOf({ orcid }), wish)), { author_position: 2 })
  const alone = caseOf({ metadata: metadataOf('Alone', { authors: 'Ada Lovelace' }) })
  t.like(dataOf(decideClaim(alone, wish)), { status: 'pending', author_position: 1 })
})

test('what does not match is confirmed with words, whoever reviews it', (t) => {
  const { draft } = decideClaim(caseOf(), make(researcher)) as { draft: { data: object } }
  const row = { ...draft.data, ppid: ada, source: researcher } as ClaimRow
  const subject = caseOf({ claim: row, claimant: { name: 'Ada Lovelace' } })
  const confirm = { type: 'change', step: 'confirm' } as const
  for (const [by, basis] of [
    [demo, 'registrant'],
    [admin, 'admin'],
  ] as const) {
    const refused = decideClaim(subject, { ...confirm, by })
    t.deepEqual(refused, {
      type: 'mismatch',
      mismatches: [
        {
          code: 'name_differs',
          message:
            'The author at this place is “Babbage, Charles”, and the person is “Ada Lovelace”',
        },
      ],
    })
    const decision = decideClaim(subject, { ...confirm, by, confirmMismatch: 'A pen name' })
    t.like(dataOf(decision), { status: 'verified', basis, mismatches: ['name_differs'] })
    if (decision.type !== 'accepted') return t.fail()
    t.deepEqual(decision.draft.personal, { before: {}, after: { confirm_mismatch: 'A pen name' } })
  }
  // Who says it again for the registrant does not slip past.
  t.is(decideClaim(subject, { type: 'make', by: demo, authorPosition: 2 }).type, 'mismatch')
  // What matches needs no words, and keeps none.
  const same = decideClaim(caseOf({ claim: row }), { ...confirm, by: demo, confirmMismatch: 'x' })
  t.false('mismatches' in dataOf(same))
})
