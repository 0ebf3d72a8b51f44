import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

/** Elements that somebody at the keyboard comes by, at most, before what is looked for. */
const stepsMax = 200

/** A person at the keyboard of a page, whose every choice and typed word is counted. */
export class Effort {
  readonly #t: ExecutionContext
  readonly #page: Page
  #choices = 0
  #words = 0

  constructor(t: ExecutionContext, page: Page) {
    this.#t = t
    this.#page = page
  }

  /**
   * Goes to a link or a button by Tab, and chooses it; the page that it leads to is loaded. Others
   * of the name, outside what the selector `within` names, are passed by.
   */
  async follow(name: string, within = 'body'): Promise<void> {
    await this.#tabTo(name, within)
    await Promise.all([this.#page.waitForEvent('load'), this.#page.keyboard.press('Enter')])
    this.#choices += 1
  }

  /** Goes to a button of a page that stays, and pushes it. */
  async push(name: string): Promise<void> {
    await this.#tabTo(name)
    await this.#page.keyboard.press('Enter')
    this.#choices += 1
  }

  /** Goes to a box and ticks it. */
  async tick(name: string): Promise<void> {
    await this.#tabTo(name)
    await this.#page.keyboard.press('Space')
    this.#choices += 1
  }

  /** Goes to a field, and types a text over what is there. */
  async type(name: string, text: string): Promise<void> {
    await this.#tabTo(name)
    await this.#page.keyboard.press('ControlOrMeta+A')
    await this.#page.keyboard.insertText(text)
    this.#words += text.split(/\s+/).length
  }

  /** Goes to a list of choices, and types the beginning of one, as people at a keyboard do. */
  async choose(name: string, option: string): Promise<void> {
    await this.#tabTo(name)
    await this.#page.keyboard.type(option)
    this.#choices += 1
  }

  /** Goes to a field of one line, types over what is there, and presses Enter. */
  async enter(name: string, text: string): Promise<void> {
    await this.type(name, text)
    await Promise.all([this.#page.waitForEvent('load'), this.#page.keyboard.press('Enter')])
  }

  /** Says what a task has taken. */
  report(task: string): void {
    this.#t.log(`${task}: ${this.#choices} choices, ${this.#words} words`)
  }

  get choices(): number {
    return this.#choices
  }

  async #tabTo(name: string, within = 'body'): Promise<void> {
    for (let step = 0; step < stepsMax; step += 1) {
      await this.#page.keyboard.press('Tab')
      if ((await this.#page.evaluate(nameOfFocused, within)) === name) return
    }
    this.#t.fail(`${name} is not reached on ${this.#page.url()}`)
  }
}

/** Runs in the page: what the focused element is called, without what is said beside its name. */
function nameOfFocused(within: string): string {
  const element = document.activeElement ?? document.body
  if (element.closest(within) === null) return ''
  const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLElement> | null) : null
  const [own] = (labels?.[0] ?? element).childNodes
  // A menu may say beside its name how much is new.
  const isNamedFirst = (labels?.length ?? 0) > 0 || element.tagName === 'SUMMARY'
  const shown = isNamedFirst ? own?.textContent : element.textContent
  const text = (shown ?? '') === '' ? element.getAttribute('aria-label') : shown
  return (text ?? '').trim().replaceAll(/\s+/g, ' ')
}
