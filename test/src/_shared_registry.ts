import anyTest, { type TestFn } from 'ava'

import type { KeyRequest } from '#src/identity/keys/key_record.ts'
import { type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'

/** A registry that all tests of a file share, with a key that writes works. */
export type SharedRegistry = ServedRegistry & { readonly writer: string }

/** The `test` of a file whose tests share a registry; `scopes` are those of its key. */
export function testShared(scopes: KeyRequest['scopes'] = ['works:write']): TestFn<SharedRegistry> {
  const test = anyTest as TestFn<SharedRegistry>
  test.before(async (t) => {
    const registry = await serveRegistry()
    t.context = { ...registry, writer: await registry.key({ scopes }) }
  })
  test.after.always((t) => t.context.close())
  return test
}
