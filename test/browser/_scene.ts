import type { Browser, Page } from 'playwright-core'

import { openBrowser, openWindow } from '#test/browser/_browser.ts'
import { type Mailbox, openMailbox } from '#test/browser/_mailbox.ts'
import { fill, pushButton } from '#test/browser/_page_actions.ts'
import { Publisher } from '#test/browser/_publisher.ts'
import { watch } from '#test/browser/_watch.ts'
import { people, startMailingServer, type Who } from '#test/browser/_world.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import type { Server, Settings } from '#test/scenario/_process.ts'

/** A new registry, a publisher, and people with a window each. */
export class Scene {
  readonly server: Server
  readonly mailbox: Mailbox
  readonly publisher: Publisher
  readonly #owner: Owner
  readonly #browser: Browser
  readonly #javaScriptEnabled: boolean
  readonly #watches: (readonly string[])[] = []

  private constructor(
    owner: Owner,
    parts: Pick<Scene, 'server' | 'mailbox' | 'publisher'>,
    browser: Browser,
    javaScriptEnabled: boolean,
  ) {
    this.server = parts.server
    this.mailbox = parts.mailbox
    this.publisher = parts.publisher
    this.#owner = owner
    this.#browser = browser
    this.#javaScriptEnabled = javaScriptEnabled
  }

  static async open(
    owner: Owner,
    options: { readonly javaScriptEnabled?: boolean; readonly settings?: Settings } = {},
  ): Promise<Scene> {
    const { javaScriptEnabled = true, settings } = options
    const mailbox = await openMailbox(owner)
    const server = await startMailingServer(owner, mailbox, settings)
    const publisher = await Publisher.open(owner, server)
    const browser = await openBrowser()
    owner.teardown(() => browser.close())
    return new Scene(owner, { server, mailbox, publisher }, browser, javaScriptEnabled)
  }

  /** What pages did that none may, in all windows. */
  get faults(): readonly string[] {
    return this.#watches.flat()
  }

  async newWindow({ javaScriptEnabled = this.#javaScriptEnabled } = {}): Promise<Page> {
    const options = { javaScriptEnabled }
    const page = await openWindow(this.#owner, this.#browser, undefined, options)
    const origins = [this.server.started.base_url, this.publisher.origin]
    this.#watches.push(await watch(page, origins))
    return page
  }

  /** The address of a page below the prefix. */
  at(path: string): string {
    return `${this.server.started.base_url}/auth${path}`
  }

  /** Signs somebody up, who is not the first; gives their window. */
  async signUp(who: Who): Promise<Page> {
    const page = await this.newWindow()
    await page.goto(this.at('/sign-up'))
    await fill(page, { ...people[who], seen_by: 'public' })
    await pushButton(page, 'Create account')
    await page.waitForURL('**/account?done=welcome')
    return page
  }

  /** Makes the first administrator; gives their window. */
  async setUp(): Promise<Page> {
    const page = await this.newWindow()
    await page.goto(this.server.started.setup_url ?? '')
    await fill(page, { ...people.root, seen_by: 'public' })
    await pushButton(page, 'Create administrator')
    await page.waitForURL('**/account?done=welcome')
    return page
  }
}
