// What all tests of a file share: it is opened before the first of them and closed after the last.

import anyTest, { type TestFn } from 'ava'

import type { KeyRequest } from '#src/identity/keys/key_record.ts'
import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { inOneThread, type OAuthRegistry, openOAuthRegistry } from '#test/src/_oauth_registry.ts'
import { type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { SetTime } from '#test/src/_set_time.ts'

type Closable = { close(): Promise<unknown> }

/** What is shared has the members of what `open` opens, once the tests run. */
export function shared<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T
  anyTest.before(async () => void Object.assign(opened, await open()))
  anyTest.after.always(() => opened.close())
  return opened
}

/** The `test` of a file whose tests have in their context what `open` opens, with a registry. */
export function testWith<C extends Closable | { readonly registry: Closable }>(
  open: () => Promise<C>,
): TestFn<C> {
  const test = anyTest as TestFn<C>
  test.before(async (t) => {
    t.context = await open()
  })
  test.after.always(({ context }) =>
    'registry' in context ? context.registry.close() : context.close(),
  )
  return test
}

/** What the context of such tests has. */
export type Opened<T> = T extends TestFn<infer C> ? C : never

/** A registry that all tests of a file share, with a key that writes works. */
export type SharedRegistry = ServedRegistry & { readonly writer: string }

/** The `test` of a file whose tests share a registry; `scopes` are those of its key. */
export function testShared(scopes: KeyRequest['scopes'] = ['works:write']): TestFn<SharedRegistry> {
  return testWith(async () => {
    const registry = await serveRegistry()
    return { ...registry, writer: await registry.key({ scopes }) }
  })
}

/** A registry that the tests of a file share, with flows of new people at new applications. */
export function sharedOAuth(open: () => Promise<OAuthRegistry> = openOAuthRegistry) {
  const registry = shared(open)
  const newFlow = async (wish: Parameters<OAuthRegistry['application']>[0] = {}) =>
    new OAuthFlow(registry, await registry.application(wish), await registry.person())
  return { registry, newFlow }
}

/** The same where the tests set the time, which all of this process reads. */
export function sharedOAuthAtSetTime(settings: Parameters<typeof openOAuthRegistry>[0] = {}) {
  const time = new SetTime()
  const open = async () => {
    time.begin()
    const registry = await openOAuthRegistry({ ...inOneThread, ...settings })
    const close = () => registry.close().finally(() => time.end())
    return { ...registry, close }
  }
  return { time, ...sharedOAuth(open) }
}
