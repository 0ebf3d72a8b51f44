import type { Lane as WholeLane } from '#src/delivery/webhooks/lane.ts'

/** What is asked of a lane here. */
type Lane = Pick<WholeLane, 'host' | 'isFailing'>

/** What the places work with: `waitMs` is how long a lane rests that has met a fault. */
export type LanePlacesOptions = {
  readonly report: (error: unknown) => void
  readonly waitMs: number
}

/** Lets a lane run; gives when it is due again, in milliseconds, if that is known. */
type RunLane = () => Promise<number | undefined>

/** Where a lane stands: it waits for a place, runs, or rests until it is woken. */
type Standing = {
  run: RunLane
  state: 'resting' | 'waiting' | 'running'
  /** Whether it was woken while it ran. */
  isWoken: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Lanes that run at one time. Those whose last try has failed have places of their own, so that
 * endpoints which do not answer keep none from the others.
 */
const placesMax = { sound: 1_000, failing: 200 } as const

/**
 * Lanes to one host that run at one time. A host is sent few messages at once, so more of them
 * would wait for one another in places that the lanes to other hosts could have.
 */
const hostPlacesMax = 50

/** The longest time that a timer takes. */
const timerMsMax = 2_147_483_647

type Kind = keyof typeof placesMax

/** Lets lanes run, a bounded number at one time, each when it is due. It owns their timers. */
export class LanePlaces {
  readonly #options: LanePlacesOptions
  readonly #standings = new WeakMap<Lane, Standing>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #waiting: Readonly<Record<Kind, Set<Lane>>> = { sound: new Set(), failing: new Set() }
  readonly #taken = { sound: 0, failing: 0 }
  /** Lanes that run, by their host, and those that wait until one of them is done. */
  readonly #takenOf = new Map<string, number>()
  readonly #behind = new Map<string, Set<Lane>>()
  readonly #running = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: LanePlacesOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#taken.sound + this.#taken.failing
  }

  /** Has a lane run as soon as there is a place; one that runs runs again. */
  wake(lane: Lane, run: RunLane): void {
    if (this.#isClosed) return
    const standing = this.#standingOf(lane, run)
    standing.run = run
    if (standing.timer !== undefined) this.#stop(standing, standing.timer)
    if (standing.state === 'running') standing.isWoken = true
    if (standing.state !== 'resting') return
    standing.state = 'waiting'
    this.#await(lane)
    this.#fill()
  }

  /** Lets no further lane run; resolves when none does. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#running)
  }

  #standingOf(lane: Lane, run: RunLane): Standing {
    const known = this.#standings.get(lane)
    if (known !== undefined) return known
    const standing: Standing = { run, state: 'resting', isWoken: false, timer: undefined }
    this.#standings.set(lane, standing)
    return standing
  }

  #await(lane: Lane): void {
    this.#waiting[lane.isFailing ? 'failing' : 'sound'].add(lane)
  }

  #fill(): void {
    for (const kind of ['sound', 'failing'] as const) {
      for (const lane of this.#waiting[kind]) {
        if (this.#taken[kind] >= placesMax[kind] || this.#isClosed) break
        this.#waiting[kind].delete(lane)
        this.#start(lane, kind)
      }
    }
  }

  #start(lane: Lane, kind: Kind): void {
    const standing = this.#standings.get(lane)
    if (standing === undefined) return
    const { host } = lane
    const ofHost = this.#takenOf.get(host) ?? 0
    if (ofHost >= hostPlacesMax) {
      const behind = this.#behind.get(host) ?? new Set<Lane>()
      this.#behind.set(host, behind.add(lane))
      return
    }
    standing.state = 'running'
    standing.isWoken = false
    this.#taken[kind] += 1
    this.#takenOf.set(host, ofHost + 1)
    const ran = this.#run(lane, standing).finally(() => {
      this.#taken[kind] -= 1
      this.#leave(host)
      this.#running.delete(ran)
      this.#fill()
    })
    this.#running.add(ran)
  }

  /** Gives a place of a host to the lane that has waited for it longest. */
  #leave(host: string): void {
    const left = (this.#takenOf.get(host) ?? 1) - 1
    if (left > 0) this.#takenOf.set(host, left)
    else this.#takenOf.delete(host)
    const behind = this.#behind.get(host)
    const [next] = behind ?? []
    if (behind === undefined || next === undefined) return
    behind.delete(next)
    if (behind.size === 0) this.#behind.delete(host)
    this.#await(next)
  }

  async #run(lane: Lane, standing: Standing): Promise<void> {
    let waitMs: number | undefined
    try {
      waitMs = await standing.run()
    } catch (error) {
      this.#options.report(error)
      waitMs = this.#options.waitMs
    }
    standing.state = 'resting'
    if (standing.isWoken || waitMs === 0) this.wake(lane, standing.run)
    else if (waitMs !== undefined) this.#wakeAfter(waitMs, lane, standing)
  }

  #wakeAfter(ms: number, lane: Lane, standing: Standing): void {
    if (this.#isClosed) return
    const timer = setTimeout(
      () => {
        this.#stop(standing, timer)
        this.wake(lane, standing.run)
      },
      Math.min(ms, timerMsMax),
    ).unref()
    standing.timer = timer
    this.#timers.add(timer)
  }

  #stop(standing: Standing, timer: NodeJS.Timeout): void {
    clearTimeout(timer)
    this.#timers.delete(timer)
    standing.timer = undefined
  }
}
