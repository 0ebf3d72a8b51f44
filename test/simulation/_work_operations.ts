import assert from 'node:assert/strict'
import type { Agent } from '#actors/values/agent.ts'
import type { MetadataPatch } from '#actors/works/metadata.ts'
import type { ChangeAnswer, RegisteredWork, WorkChange } from '#actors/works/port.ts'
import { admin, arkOf, demo, metadataOf, registration } from '#test/actors/_environment.ts'
import { erasureOf } from '#test/actors/_erasure.ts'
import { publisherFor } from '#test/actors/_person.ts'
import type { Ports } from '#test/simulation/_answers.ts'
import { sharedHost } from '#test/simulation/_simulated_web.ts'

/** What clients were told of a work, which must hold for ever. */
export type KnownWork = {
  readonly title: string
  /** The newest acknowledged version. */
  readonly version: number
  readonly withdrawn: boolean
  readonly erased: boolean
  /** The versions of the receipts that were named. */
  readonly receipts: ReadonlyMap<string, number>
}

/** What clients were told of works. */
export class WorkPromises {
  readonly #works = new Map<string, KnownWork>()
  /** The work that was registered by whom under each idempotency key. */
  readonly #keyed = new Map<string, string>()

  /** By ARK. */
  get works(): ReadonlyMap<string, KnownWork> {
    return this.#works
  }

  /** Some ARK that was told; undefined as long as none was. */
  pick(random: () => number): string | undefined {
    return [...this.#works.keys()][Math.floor(random() * this.#works.size)]
  }

  /** Some client does something to some work; `ppids` are people who may have one registered. */
  async run(
    ports: Ports,
    random: () => number,
    { name, ppids }: { readonly name: string; readonly ppids: readonly string[] },
  ): Promise<void> {
    const ark = this.pick(random)
    const dice = random()
    if (dice < 0.15) await this.#repeat(ports, random)
    else if (ark === undefined || dice < 0.45) await this.#register(ports, random, { name, ppids })
    else if (dice < 0.65) await this.#update(ports, ark, { description: name })
    else if (dice < 0.75) await this.#update(ports, ark, { work_url: urlOf(name) })
    else if (dice < 0.9) await recheck(ports, ark)
    else if (dice < 0.96) await this.#withdraw(ports, ark)
    else await this.#erase(ports, ark)
  }

  async #register(
    { works }: Ports,
    random: () => number,
    { name, ppids }: { readonly name: string; readonly ppids: readonly string[] },
  ): Promise<void> {
    const ppid = ppids[Math.floor(random() * ppids.length)]
    const by: Agent = ppid === undefined || random() < 0.7 ? demo : publisherFor(ppid)
    // A few keys, so that requests are retried, in flight and after crashes.
    const key = `key ${Math.floor(random() * 8)}`
    const own = `${by.on_behalf_of ?? by.id} ${key}`
    const idempotency = { key, bodyHash: '00' }
    const metadata = metadataOf(name, { work_url: urlOf(name) })
    const answer = await works.register(registration(metadata, { idempotency, by }))
    if (answer.type === 'erased') {
      assert.equal(arkOf(answer), this.#keyed.get(own), 'a key is one work for ever')
      return
    }
    assert.equal(answer.type, 'registered')
    if (answer.type !== 'registered') return
    const ark = arkOf(answer.work)
    const before = this.#keyed.get(own)
    if (before !== undefined) assert.equal(ark, before, 'a key is one work for ever')
    this.#keyed.set(own, ark)
    this.#add(answer.work)
  }

  /** Some client registers one of a few works without a key, as if it knew of no answer. */
  async #repeat({ works, catalogue }: Ports, random: () => number): Promise<void> {
    const name = `shared ${Math.floor(random() * 2)}`
    const metadata = metadataOf(name, { work_url: sharedHost + name.replace(' ', '-') })
    const answer = await works.register(registration(metadata))
    if (answer.type === 'repeated_work') {
      const state = catalogue.state(answer.existingArk.slice('ark:/'.length))
      assert(state !== undefined, 'what is named as the same work is there')
      return
    }
    assert.equal(answer.type, 'registered')
    if (answer.type === 'registered') this.#add(answer.work)
  }

  #add(work: RegisteredWork): void {
    const ark = arkOf(work)
    if (this.#works.has(ark)) return
    const { work_title: title, receipt_id } = work
    const receipts = new Map([[receipt_id, 1]])
    this.#works.set(ark, { title, version: 1, withdrawn: false, erased: false, receipts })
  }

  async #update({ works }: Ports, ark: string, patch: MetadataPatch): Promise<void> {
    this.#keep(ark, await works.update({ ark, patch, by: demo }))
  }

  async #withdraw({ works }: Ports, ark: string): Promise<void> {
    this.#keep(ark, await works.withdraw({ ark, reason: 'test', by: demo }))
  }

  async #erase({ works }: Ports, ark: string): Promise<void> {
    const answer = await works.erase(erasureOf(ark, true))
    assert('change' in answer, `an administrator was told ${answer.type}`)
    if (this.#known(ark).erased) assert.equal(answer.type, 'unchanged', 'metadata is erased once')
    this.#note(ark, answer.change)
  }

  #keep(ark: string, answer: ChangeAnswer): void {
    if (answer.type === 'gone') return
    assert.equal(answer.type, 'changed')
    if (answer.type !== 'changed') return
    assert(!this.#known(ark).withdrawn, 'a withdrawn work does not change')
    this.#note(ark, answer.change)
  }

  #note(ark: string, { version, kind, receipt_id }: WorkChange): void {
    const known = this.#known(ark)
    this.#works.set(ark, {
      ...known,
      version: Math.max(known.version, version),
      withdrawn: known.withdrawn || kind === 'withdrawn' || kind === 'erased',
      erased: known.erased || kind === 'erased',
      receipts: new Map([...known.receipts, [receipt_id, version]]),
    })
  }

  #known(ark: string): KnownWork {
    const known = this.#works.get(ark)
    assert(known !== undefined)
    return known
  }

  /** Holds a registry to what was told. */
  check({ catalogue }: Ports): void {
    for (const [ark, { version, withdrawn, erased }] of this.#works) {
      const state = catalogue.state(ark)
      assert(state !== undefined, `the acknowledged work ${ark} is lost`)
      assert(state.version >= version, `version ${version} of ${ark} is lost`)
      if (erased) assert(state.erased_at !== undefined, `the erasure of ${ark} is lost`)
      if (withdrawn) assert.equal(state.status, 'withdrawn', `the withdrawal of ${ark} is lost`)
    }
  }
}

// An address of its own for each operation, so that no two works have the same.
function urlOf(name: string): string {
  return `https://host${name.length % 3}.example/${name.replaceAll(/\W+/g, '-')}`
}

// A withdrawal may have been kept that nobody was told of.
async function recheck({ fixity }: Ports, ark: string): Promise<void> {
  const { type } = await fixity.recheck(ark, admin)
  assert(type === 'queued' || type === 'gone', type)
}
