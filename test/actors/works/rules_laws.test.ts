import test from 'ava'
import fc from 'fast-check'
import type { Agent } from '#actors/values/agent.ts'
import type { Metadata, MetadataPatch } from '#actors/works/metadata.ts'
import { metadataHash } from '#actors/works/receipts/statement.ts'
import { type Place, type WorkEvent, type WorkState, workStream } from '#actors/works/events.ts'
import { type Accepted, evolve } from '#actors/works/rules.ts'
import { type Asked, decide } from '#test/actors/works/_decision.ts'
import { withdrawalReasons } from '#actors/works/port.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'
import { orderedJson } from '#actors/values/serialization.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

const ark = '12345/x6np1wh8k'
const owner: Agent = { type: 'person', id: 'p1', name: 'Ada', via: 'ui' }
const agents: readonly Agent[] = [
  owner,
  { ...owner, id: 'p2' },
  { ...owner, id: 'p3', admin: true },
]

/** A work with its whole history, which its rules never see. */
type History = {
  readonly state: WorkState | undefined
  readonly current: Metadata | undefined
  readonly log: readonly { readonly event: WorkEvent; readonly place: Place }[]
  readonly accepted: readonly Accepted[]
}

/** What is asked of a work, as numbers, so that fast-check can shrink it. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('register', 'update', 'add_version', 'update', 'add_version', 'withdraw'),
    seed: fc.nat(50),
    agent: fc.constantFrom(...agents),
    isSmall: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
)
type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never

function metadataOf(seed: number): Metadata {
  const checked = checkNewWork(generateWorks(seed, 1)[0])
  if (checked.type === 'invalid') throw new Error(JSON.stringify(checked.faults))
  return checked.metadata
}

function commandOf(step: Step, current: Metadata, second: number): Asked {
  const asked = {
    by: step.agent,
    at: new Date(1_800_000_000_000 + second * 1_000).toISOString(),
    receiptSuffix: `suffix${second}`,
  }
  const patch: MetadataPatch = step.isSmall ? { volume: String(step.seed) } : metadataOf(step.seed)
  switch (step.kind) {
    case 'register':
      return {
        ...asked,
        type: 'register',
        ark,
        dated: step.seed % 2 === 0,
        metadata: metadataOf(step.seed),
        by: owner,
      }
    case 'withdraw':
      return { type: 'withdraw', reason: withdrawalReasons[step.seed % 7] ?? 'other', ...asked }
    case 'update':
    case 'add_version':
      return { type: step.kind, current, patch, ...asked }
  }
}

const nothing: History = { state: undefined, current: undefined, log: [], accepted: [] }

function follow(history: History, step: Step, second: number): History {
  const command = commandOf(step, history.current ?? metadataOf(0), second)
  const decision = decide(history.state, command)
  if (decision.type !== 'accepted') return history
  const [event] = decision.events
  if (event === undefined) throw new Error('there is no event')
  const seq = history.log.length + 1
  const place = {
    stream: workStream(ark),
    seq,
    at: command.at,
    position: seq * 7,
    leafIndex: seq * 3,
  }
  return {
    state: evolve(history.state, event, place),
    current: 'metadata' in event.data ? (event.data.metadata ?? undefined) : history.current,
    log: [...history.log, { event, place }],
    accepted: [...history.accepted, decision],
  }
}

function live(all: readonly Step[]): History {
  return all.reduce(follow, nothing)
}

test('property: versions count up by one, and each has its receipt', (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      const { state, accepted } = live(all)
      const made = accepted.filter(({ change }) => change.kind !== 'withdrawn')
      t.deepEqual(
        made.map(({ change }) => change.version),
        made.map((_, index) => index + 1),
      )
      t.is(state?.version ?? 0, made.length)
      t.is(new Set(made.map(({ change }) => change.receipt_id)).size, made.length)
      for (const { change, statements } of accepted) {
        t.is(statements.length, 1)
        const { ark_identifier, version, receipt_id, metadata_hash, content_hash } = change
        const facts = { version, receipt_id, metadata_hash, content_hash }
        t.like(statements[0], { ark: ark_identifier, timestamp: change.created_at, ...facts })
      }
    }),
  )
})

test('property: the state says what the newest version is', (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      const { state, current, log } = live(all)
      const [newest, oldest] = [log.at(-1)?.place, log[0]?.place]
      const held = log.findLast(({ event }) => event.type !== 'WorkWithdrawn')
      if (state === undefined || current === undefined || held === undefined) {
        t.is(log.length, 0)
        return
      }
      t.is(state.metadata_hash, metadataHash(orderedJson(current)))
      t.is(state.seq, log.length)
      t.like(state, { position: held.place.position, created_at: oldest?.at ?? '' })
      t.like(state, { leafIndex: newest?.leafIndex ?? -1, updated_at: newest?.at ?? '' })
      t.deepEqual(state.owner, { type: 'person', id: 'p1', name: 'Ada' })
      t.deepEqual(checkNewWork(current), { type: 'ok', metadata: current, warnings: [] })
    }),
  )
})

test('property: the state follows from the events alone, as they are stored', (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      const { state, log } = live(all)
      const stored = JSON.parse(JSON.stringify(log)) as typeof log
      let replayed: WorkState | undefined
      for (const { event, place } of stored) replayed = evolve(replayed, event, place)
      t.deepEqual(replayed, state)
    }),
  )
})

test('property: the state does not grow with the versions', (t) => {
  const sizeOf = (state: WorkState | undefined) => JSON.stringify(state).length
  const first: Step = { kind: 'register', seed: 1, agent: owner, isSmall: true }
  const start = follow(live([first]), { ...first, kind: 'update', seed: 2 }, 2)
  let history = start
  for (let version = 3; version <= 1_000; version++) {
    history = follow(history, { ...first, kind: 'update', seed: version }, version)
  }
  t.is(history.state?.version, 1_000)
  t.deepEqual(Object.keys(history.state ?? {}), Object.keys(start.state ?? {}))
  t.true(sizeOf(history.state) < sizeOf(start.state) + 40)
})

test('property: a withdrawn work never changes again', (t) => {
  const withdraw: Step = { kind: 'withdraw', seed: 0, agent: owner, isSmall: true }
  const register: Step = { kind: 'register', seed: 0, agent: owner, isSmall: true }
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const withdrawn = live([register, ...before, withdraw])
      t.is(withdrawn.state?.status, 'withdrawn')
      t.deepEqual(after.reduce(follow, withdrawn), withdrawn)
    }),
  )
})

test('property: a state is never changed in place', (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      let history = nothing
      for (const [second, step] of all.entries()) {
        const before = JSON.stringify(history)
        const next = follow(history, step, second)
        t.is(JSON.stringify(history), before)
        history = next
      }
    }),
    { numRuns: 20 },
  )
})
