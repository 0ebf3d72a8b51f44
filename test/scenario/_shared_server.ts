import test from 'ava'

import {
  type Asserter,
  newDataDir,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'

/** A server, and the settings that commands on its data directory are given. */
export type SharedServer = {
  readonly server: Server
  readonly settings: Settings & { readonly DATA_DIR: string }
}

/**
 * Opens, before the first test of a file, what all of them use and none of them harms; `owner` ends
 * it after the last. Gives how a test gets at it.
 */
export function share<T>(open: (owner: Asserter) => Promise<T>): () => T {
  let opened: { readonly value: T } | undefined
  const teardowns: (() => unknown)[] = []
  test.before('what the tests share is opened', async (t) => {
    // A hook has no teardown of its own.
    const owner = { is: t.is, teardown: (end: () => unknown) => void teardowns.unshift(end) }
    opened = { value: await open(owner) }
  })
  test.after.always('what the tests shared is ended', async () => {
    for (const end of teardowns) await end()
  })
  return () => {
    if (opened === undefined) throw new Error('nothing is shared before the first test')
    return opened.value
  }
}

/** Starts a registry that the tests of a file share; it must end in order after them. */
export function shareServer(settings: Settings = {}): () => SharedServer {
  const shared = share(async (owner) => {
    const all = { ...settings, DATA_DIR: await newDataDir(owner) }
    return { settings: all, server: await startServer(owner, all) }
  })
  test.after('the server that the tests shared ends in order', async (t) => {
    const { code, stderr } = await shared().server.end('SIGTERM')
    t.is(code, 0, stderr)
  })
  return shared
}
