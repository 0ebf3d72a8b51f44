import assert from 'node:assert/strict'
import type { Environment } from '#actors/registry/environment.ts'
import { mintPpid } from '#actors/values/ppid.ts'
import { onPages, publisherFor } from '#test/actors/_person.ts'

const ppids = [1, 2, 3].map((byte) => mintPpid((count) => new Uint8Array(count).fill(byte)))
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

  /** Some client does something to some person. */
  async run(environment: Environment, random: () => number, name: string): Promise<void> {
    const ppid = ppids[Math.floor(random() * ppids.length)] ?? ''
    const username = usernames[Math.floor(random() * usernames.length)] ?? ''
    const dice = random()
    if (!this.#made.has(ppid)) await this.#create(environment, ppid, username)
    else if (dice < 0.4) await this.#put(environment, ppid, random)
    else if (dice < 0.6) await this.#update(environment, ppid, { username, bio: name })
    else if (dice < 0.95) await this.#undo(environment, ppid)
    else await this.#erase(environment, ppid)
  }

  async #create({ people }: Environment, ppid: string, username: string): Promise<void> {
    const answer = await people.create({ ppid, body: { name: ppid, username }, by: onPages(ppid) })
    // A creation may have been kept that nobody was told of.
    const isMade = answer.type === 'created' || answer.type === 'exists'
    if (isMade) this.#made.set(ppid, this.#made.get(ppid) ?? new Set())
    else assert(answer.type === 'username_taken' || answer.type === 'gone', answer.type)
  }

  async #put({ people }: Environment, ppid: string, random: () => number): Promise<void> {
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
    { people }: Environment,
    ppid: string,
    body: { readonly username: string; readonly bio: string },
  ): Promise<void> {
    const answer = await people.update({ ppid, body, by: publisherFor(ppid) })
    if (answer.type === 'gone' || answer.type === 'username_taken') return
    assert.equal(answer.type, 'updated')
    assert(!this.#erased.has(ppid), 'who is erased does not change')
  }

  async #undo({ people }: Environment, ppid: string): Promise<void> {
    const writes = await people.writes({ ppid, limit: 3 })
    const write = writes.find(({ undone_at }) => undone_at === undefined)
    if (write === undefined) return
    const { position } = write
    const { type } = await people.undo({ ppid, position, by: onPages(ppid) })
    const refusals = ['already_undone', 'changed_since', 'username_taken', 'gone']
    assert(type === 'undone' || refusals.includes(type), type)
  }

  async #erase({ people }: Environment, ppid: string): Promise<void> {
    const { type } = await people.erase({ ppid, by: onPages(ppid) })
    assert(type === 'erased' || type === 'gone', type)
    this.#erased.add(ppid)
  }

  /** Holds a registry to what was told. */
  async check({ people }: Environment): Promise<void> {
    for (const [ppid, named] of this.#made) {
      const person = people.read(ppid)
      assert(person !== undefined, `the acknowledged person ${ppid} is lost`)
      if (this.#erased.has(ppid)) assert.equal(person.type, 'erased', `the end of ${ppid} is lost`)
      if (person.type === 'erased') continue
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
    for (const username of usernames) {
      const person = people.read(people.findByUsername(username) ?? '')
      if (person?.type === 'person') assert.equal(person.profile.username, username)
      else assert.equal(person, undefined, 'who is erased has no username')
    }
  }
}
