import assert from 'node:assert/strict'
import { mintPpid } from '#actors/values/identifier.ts'
import { onPages, publisherFor } from '#test/actors/_person.ts'
import type { Ports } from '#test/simulation/_answers.ts'

/** The people of a run. */
export const ppids = [1, 2, 3].map((byte) => mintPpid((count) => new Uint8Array(count).fill(byte)))
// A few of each, so that clients meet.
const usernames = ['ada', 'bob', 'eve']
const organizationsCount = 6

function ownItem(organization: string) {
  return { source: 'person', organization, role: organization }
}

/** What clients were told of people, which must hold for ever. */
export class PersonPromises {
  /** Who was made, with the organizations that they named themselves, which nobody undoes. */
  readonly #made = new Map<string, Set<string>>()
  readonly #erased = new Set<string>()

  /** Those who were made, also if they were erased. */
  get made(): readonly string[] {
    return [...this.#made.keys()]
  }

  /** Some client does something to some person. */
  async run(ports: Ports, random: () => number, name: string): Promise<void> {
    const ppid = ppids[Math.floor(random() * ppids.length)] ?? ''
    const username = usernames[Math.floor(random() * usernames.length)] ?? ''
    const dice = random()
    if (!this.#made.has(ppid)) await this.#create(ports, ppid, username)
    else if (dice < 0.4) await this.#put(ports, ppid, random)
    else if (dice < 0.6) await this.#update(ports, ppid, { username, bio: name })
    else if (dice < 0.95) await this.#undo(ports, ppid)
    else await this.#erase(ports, ppid)
  }

  async #create({ people }: Ports, ppid: string, username: string): Promise<void> {
    const answer = await people.create({ ppid, body: { name: ppid, username }, by: onPages(ppid) })
    // A creation may have been kept that nobody was told of.
    const isMade = answer.type === 'created' || answer.type === 'exists'
    if (isMade) this.#made.set(ppid, this.#made.get(ppid) ?? new Set())
    else assert(answer.type === 'username_taken' || answer.type === 'gone', answer.type)
  }

  async #put({ people }: Ports, ppid: string, random: () => number): Promise<void> {
    const index = Math.floor(random() * organizationsCount)
    const isOwn = random() < 0.5
    const { source: _, ...body } = ownItem(`No ${index}`)
    const by = isOwn ? onPages(ppid) : publisherFor(ppid)
    const answer = await people.putItem({ ppid, kind: 'affiliation', body, by })
    if (answer.type === 'gone') return
    assert.equal(answer.type, 'put')
    if (answer.type !== 'put') return
    assert.deepEqual(answer.item.fields, body)
    if (isOwn) this.#made.get(ppid)?.add(body.organization)
  }

  async #update(
    { people }: Ports,
    ppid: string,
    body: { readonly username: string; readonly bio: string },
  ): Promise<void> {
    const answer = await people.update({ ppid, body, by: publisherFor(ppid) })
    if (answer.type === 'gone' || answer.type === 'username_taken') return
    assert.equal(answer.type, 'updated')
    assert(!this.#erased.has(ppid), 'who is erased does not change')
  }

  async #undo({ people }: Ports, ppid: string): Promise<void> {
    const writes = await people.writes({ ppid, limit: 3 })
    const write = writes.find(({ undone_at }) => undone_at === undefined)
    if (write === undefined) return
    const { position } = write
    const { type } = await people.undo({ ppid, position, by: onPages(ppid) })
    const refusals = ['already_undone', 'changed_since', 'not_undoable', 'username_taken', 'gone']
    assert(type === 'undone' || refusals.includes(type), type)
  }

  async #erase({ people }: Ports, ppid: string): Promise<void> {
    const { type } = await people.erase({ ppid, by: onPages(ppid) })
    assert(type === 'erased' || type === 'gone', type)
    this.#erased.add(ppid)
  }

  /** Asks for a person, at one moment, while others change them. */
  query({ people }: Ports, ppid: string): void {
    const named = this.#made.get(ppid)
    if (named === undefined) return
    const person = people.read(ppid)
    assert(person !== undefined, `the acknowledged person ${ppid} is lost`)
    if (this.#erased.has(ppid)) assert.equal(person.type, 'erased', `the end of ${ppid} is lost`)
    if (person.type === 'erased') return
    const { username } = person.profile
    if (username !== undefined) assert.equal(people.findByUsername(username), ppid)
    const items = person.items.map(({ source, fields }) => ({ source: source.type, ...fields }))
    const things = new Set(items.map((item) => JSON.stringify(item)))
    assert.equal(things.size, items.length, 'a source has one item for one thing')
    for (const organization of named) {
      const isKept = things.has(JSON.stringify(ownItem(organization)))
      assert(isKept, `the acknowledged item ${organization} of ${ppid} is lost`)
    }
  }

  /** Holds a registry to what was told, and what it says of people to one another. */
  async check(ports: Ports): Promise<void> {
    const { people } = ports
    for (const ppid of this.#made.keys()) {
      this.query(ports, ppid)
      await checkExport(ports, ppid)
    }
    for (const username of usernames) {
      const person = people.read(people.findByUsername(username) ?? '')
      if (person?.type === 'person') assert.equal(person.profile.username, username)
      else assert.equal(person, undefined, 'who is erased has no username')
    }
    const listed = await people.list({ after: '', limit: 10 })
    assert.deepEqual(listed, ppids.filter((ppid) => people.read(ppid) !== undefined).toSorted())
  }
}

/** Holds the export of a person to what each query says of them. */
async function checkExport({ people }: Ports, ppid: string): Promise<void> {
  const person = people.read(ppid)
  const exported = await people.export(ppid)
  assert.equal(exported === undefined, person?.type === 'erased')
  if (exported === undefined) return
  assert.deepEqual(exported.person, person)
  const positions = exported.events.map(({ position }) => position)
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  )
  const written: number[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; before = written.at(-1) ?? 0) {
    const page = await people.writes({ ppid, cursor: before, limit: 3 })
    written.push(...page.map(({ position }) => position))
    if (page.length < 3) break
  }
  assert.deepEqual(
    written,
    exported.writes.map(({ position }) => position),
  )
}
