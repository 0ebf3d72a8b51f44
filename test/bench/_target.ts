import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import type { Target } from '#test/bench/_attacks.ts'
import type { BenchOptions } from '#test/bench/_bench.ts'
import {
  type RegistryServer,
  registerWorks,
  createKey,
  runImport,
} from '#test/bench/_registry_server.ts'
import { createWork } from '#test/bench/_works.ts'

export type Filling = {
  readonly options: BenchOptions
  readonly dataDir: string
  readonly folder: string
}

/** Fills a registry with works, the largest there can be among them, and makes a key for them. */
export async function fillTarget(registry: RegistryServer, filling: Filling): Promise<Target> {
  const { options, dataDir, folder } = filling
  const headers = await createKey(dataDir, ['works:read', 'works:write', 'search:read'])
  const largest = await registerLargest({ ...registry, headers })
  const file = options.importFile ?? (await writeWorks(folder, options.bystanderWorks))
  await runImport(dataDir, file)
  const few = await registerWorks(registry, 200, (nth) => `https://content.example.org/${nth}`)
  return { port: registry.port, headers, arks: few, largest }
}

/** Writes a file of so many made-up works, one a line; gives its path. */
export async function writeWorks(folder: string, count: number): Promise<string> {
  const file = path.join(folder, 'works.jsonl')
  const lines = Array.from({ length: count }, (_, n) => `${JSON.stringify(createWork(n))}\n`)
  await writeFile(file, lines.join(''))
  return file
}

/** Registers works of as many authors as can be, until a page of a harvest is full of them. */
async function registerLargest({ port, headers }: RegistryServer): Promise<string> {
  let largest = ''
  for (let nth = 0; nth < 40; nth += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/works`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        work_title: `A collaboration of many ${nth}`,
        work_type: 'article',
        authors: Array.from({ length: manyAuthors }, (_, n) => `A. B${n}`).join('; '),
        description: 'measured '.repeat(5_000),
        work_url: `https://content.example.org/collaboration/${nth}`,
      }),
    })
    const body = (await response.json()) as { readonly ark_identifier: string }
    if (response.status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`)
    largest = body.ark_identifier
  }
  return largest
}

const manyAuthors = 19_000
