import type { ExecutionContext } from 'ava'
import type { Locator, Page } from 'playwright-core'

import { click } from '#test/browser/_page_actions.ts'

/** A reader whose clicks and typed words are counted. */
export class CountedReader {
  readonly #page: Page
  #clicks = 0
  #words = 0

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    this.#clicks += 1
    await click(this.#page, target)
  }

  /** Types words into a field and presses Enter, which is no click. */
  async type(target: Locator, text: string): Promise<void> {
    this.#words += text.split(/\s+/).length
    await target.fill(text)
    await target.press('Enter')
  }

  /** Chooses files, which takes a click, and whatever the window of the system asks for. */
  async choose(target: Locator, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    this.#clicks += 1
    await target.setInputFiles(files)
  }

  /** Prints what the task took, and demands that it takes no more than that. */
  tell(t: ExecutionContext, task: string, most: { clicks: number; words: number }): void {
    t.log(`${task}: ${this.#clicks} clicks, ${this.#words} words typed, on ${this.#page.url()}`)
    t.true(this.#clicks <= most.clicks, `${this.#clicks} clicks`)
    t.true(this.#words <= most.words, `${this.#words} words`)
  }
}
