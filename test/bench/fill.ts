// Fills a folder with a registry of many works through the commit path that serves clients, only
// without HTTP: `node test/bench/fill.ts FOLDER [--works COUNT]`.

import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'

import type { Environment } from '#actors/registry/environment.ts'
import { readConfig } from '#config/config.ts'
import { openService } from '#src/cli/start/registry_service.ts'
import { filledFile } from '#test/bench/_filled_store.ts'
import { openLive } from '#test/bench/_live_environment.ts'
import { createWork } from '#test/bench/_works.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

// Enough for the next pool to be full when a commit returns.
const worksAtOnce = 1_024
const by = { type: 'organization', id: 'demo', name: 'Demo', via: 'cli' } as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { works: { type: 'string', default: '1000000' } },
})
const [folder] = positionals
if (folder === undefined) throw new Error('usage: node test/bench/fill.ts FOLDER [--works COUNT]')
await fill(folder, Number(values.works))

async function fill(target: string, works: number): Promise<void> {
  const dataDir = path.join(target, 'data')
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', ORIGIN: 'bench.example.org/log' })
  // A first start makes the stores and keys.
  await (await openService(config, { listen: false })).close()
  const environment = await openLive(dataDir)
  await registerAll(environment, works, path.join(target, 'paths.txt'))
  await environment.close()
  await writeFile(path.join(target, filledFile), JSON.stringify({ works }))
}

async function registerAll(
  { works }: Environment,
  count: number,
  pathsFile: string,
): Promise<void> {
  const paths = createWriteStream(pathsFile)
  const startMs = performance.now()
  let next = 0
  let done = 0
  const registerSome = async () => {
    while (next < count) {
      paths.write(`/v1/resolve/${await registerOne(works, next++)}\n`)
      done += 1
      if (done % 50_000 === 0) {
        const perSecond = Math.round(done / ((performance.now() - startMs) / 1_000))
        process.stderr.write(`filled ${done} of ${count} works, ${perSecond}/s\n`)
      }
    }
  }
  await Promise.all(Array.from({ length: worksAtOnce }, registerSome))
  await new Promise<void>((resolve) => paths.end(resolve))
}

async function registerOne(works: Environment['works'], n: number): Promise<string> {
  const check = checkNewWork(createWork(n))
  if (check.type !== 'ok') throw new Error(JSON.stringify(check.faults))
  const { metadata, warnings } = check
  const allowed = { allowDuplicate: false, allowRepeat: false }
  const command = { metadata, warnings, by, ...allowed, dryRun: false }
  const answer = await works.register(command)
  if (answer.type !== 'registered') throw new Error(`work ${n} was not registered: ${answer.type}`)
  return answer.work.ark_identifier
}
