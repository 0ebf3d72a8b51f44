import { readFile } from 'node:fs/promises'
import test from 'ava'

import { openRegistry } from '#test/src/_registry.ts'
import { type Described, writeTypes } from '#test/src/client/_type_writer.ts'

test('the types of the client are those of the document: run `npm run client:types`', async (t) => {
  const registry = await openRegistry()
  t.teardown(() => registry.close())
  const description = (await registry.server.inject('/openapi.json')).json<Described>()
  const file = new URL('../../../src/client/types.ts', import.meta.url)
  t.is(await readFile(file, 'utf8'), writeTypes(description))
})
