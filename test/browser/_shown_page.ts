import type { Page } from 'playwright-core'

import type { Who, World } from '#test/browser/_world.ts'

/** A page, and how somebody comes to it. */
export type ShownPage = {
  /** As it is registered, without the prefix. */
  readonly route: string
  /** Tells pages of one route apart. */
  readonly name?: string
  readonly as: Who | 'nobody'
  readonly open: Opening
}

/** A world, and where another registry, which nobody has set up, waits for its administrator. */
export type ShownWorld = World & { readonly setupUrl: string }

/** Opens a page as somebody comes to it. */
export type Opening = (window: Page, world: ShownWorld) => Promise<unknown>
