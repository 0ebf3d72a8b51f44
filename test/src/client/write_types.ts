// Writes the types of the client anew, from what the registry describes now.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import { openRegistry } from '#test/src/_registry.ts'
import { type Described, writeTypes } from '#test/src/client/_type_writer.ts'

const file = path.join(import.meta.dirname, '../../../src/client/types.ts')
const registry = await openRegistry()
try {
  const { server } = registry
  const description = (await server.inject('/openapi.json')).json<Described>()
  await writeFile(file, writeTypes(description))
} finally {
  await registry.close()
}
