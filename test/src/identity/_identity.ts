import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { ExecutionContext } from 'ava'

import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { type OpenedIdentityStore, openIdentityStore } from '#src/identity/store/identity_store.ts'
import { KeyStore } from '#src/identity/keys/key_store.ts'

/** A clock that stands until a test moves it. */
export class TestClock {
  #ms: number

  constructor(start: string) {
    this.#ms = Date.parse(start)
  }

  nowMs(): number {
    return this.#ms
  }

  forward(ms: number): void {
    this.#ms += ms
  }
}

/** An identity store in a folder of its own, which a test can close and open again. */
export type IdentityFixture = {
  readonly clock: TestClock
  readonly dir: string
  readonly headFile: string
  readonly pepperPath: string
  /** What was reported from the background. */
  readonly reported: unknown[]
  open(options?: { readonly acceptsOlder: boolean }): Promise<OpenedIdentityStore>
  openKeys(store: IdentityStore): KeyStore
}

/** Makes the fixture; everything opened is closed and removed when the test is over. */
export async function identityFixture(t: ExecutionContext): Promise<IdentityFixture> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const dir = path.join(folder, 'identity')
  const headFile = path.join(folder, 'identity.head')
  const pepperPath = path.join(folder, 'pepper')
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  const reported: unknown[] = []
  const opened: OpenedIdentityStore[] = []
  t.teardown(async () => {
    for (const store of opened) await store.close()
    await rm(folder, { recursive: true })
  })
  return {
    clock,
    dir,
    headFile,
    pepperPath,
    reported,
    async open(options) {
      const create = opened.length === 0
      const files = { dir, headFile, pepperPath }
      const store = await openIdentityStore({ ...files, create, random: randomBytes, ...options })
      opened.push(store)
      return store
    },
    openKeys: (store) => {
      const report = (fault: unknown): void => void reported.push(fault)
      return new KeyStore({ store, clock, random: randomBytes, report })
    },
  }
}
