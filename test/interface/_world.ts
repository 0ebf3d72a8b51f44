import { randomBytes } from 'node:crypto'

import type { ContentSite } from '#test/interface/_content_site.ts'
import { Mismatch } from '#test/interface/_expect.ts'
import { type Reply, send, type Sent } from '#test/interface/_request.ts'
import { type Ended, runArklog, type Settings } from '#test/scenario/_process.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** An identity provider elsewhere. */
export type Institution = {
  readonly issuer: string
  /** Who is signed in there next, and what is told of them. */
  as(sub: string, claims: object): Promise<unknown>
}

/** A registry that runs, and what stands around it for the rows. */
export type Place = {
  /** Its public address, without a slash at its end. */
  readonly baseUrl: string
  /** Of its identity provider. */
  readonly authUrl: string
  /** With which its commands are run. */
  readonly settings: Settings
  /** A site whose content it may read; none if it may not. */
  readonly content: ContentSite | undefined
  /** An identity provider elsewhere that it lets people sign in with; none if it knows none. */
  readonly institution: Institution | undefined
  /** Everything that it has written to its log; none if that is not at hand. */
  readonly logged: (() => string) | undefined
}

/** A row cannot be tried with what there is. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

/**
 * What rows are tried in: a registry, and whatever they need of it (keys, people, works), which is
 * made when a row first asks for it and shared from then on.
 */
export class World {
  readonly place: Place
  readonly owner: Owner
  /** Tells what is made in this run from what was made in others. */
  readonly run = randomBytes(4).toString('hex')
  readonly #made = new Map<string, Promise<unknown>>()
  #count = 0

  constructor(place: Place, owner: Owner) {
    this.place = place
    this.owner = owner
  }

  /** Sends a request such as `GET /v1/works/…` to the registry, or to an address that is whole. */
  call(request: string, sent?: Sent): Promise<Reply> {
    const at = request.indexOf(' ') + 1
    const target = request.slice(at)
    const url = target.startsWith('/') ? this.place.baseUrl + target : target
    return send(request.slice(0, at) + url, sent)
  }

  /** Runs a command of the registry, as its operator would. */
  runCommand(args: readonly string[]): Promise<Ended> {
    return runArklog(this.owner, args, this.place.settings)
  }

  /** Runs a command that must succeed; gives the JSON that it prints. */
  async command<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.runCommand([...args, '--json'])
    if (code !== 0) throw new Mismatch(`arklog ${args.join(' ')} failed: ${stderr}`)
    return JSON.parse(stdout) as T
  }

  /** What was made under a name, which is made now if it was not before. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#made.get(name) as Promise<T> | undefined) ?? make()
    this.#made.set(name, made)
    return made
  }

  /** A name that nothing else has, for a title or an address. */
  name(about: string): string {
    this.#count += 1
    return `${about} ${this.run} ${this.#count}`
  }

  /** The site whose content the registry may read. */
  get content(): ContentSite {
    if (this.place.content === undefined) {
      throw new NotTried('no site is named whose content the registry may read (--content-port)')
    }
    return this.place.content
  }
}
