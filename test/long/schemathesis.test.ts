// A stranger's tool reads our description of the interface, makes thousands of requests of it,
// right and wrong, and holds each reply against what the description says.

import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { newDataDir, newWork, runJson, startServer } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'

const title = 'every reply is one that the OpenAPI document describes'
const config = new URL('./schemathesis.toml', import.meta.url)

/**
 * The operations whose body is that of `createWork` or `updateWork`. The bounds of such a body make
 * 5,000 requests for each operation: unless a run is full it tries them of those two alone, and of
 * the others what is drawn.
 */
const sameBodies = `
[[operations]]
include-operation-id-regex = "^(createVersion|putWorkByDoi|validateWork)(Alias)?$|^updateWorkAlias$"
phases.coverage.enabled = false
`

const isFull = countOf({ few: 0, full: 1 }) === 1

/** Requests that are made up for each operation, beside those that its description suggests. */
const examplesMax = 10

const runMsMax = 20 * 60_000

/** The part of the report that counts. */
type Report = {
  readonly operations: { readonly total: number; readonly tested: number }
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly {
    readonly code: string
    readonly title: string
    readonly operations: readonly string[]
  }[]
  readonly errors: readonly unknown[]
}

const isThere = spawnSync('st', ['--version']).status === 0

if (isThere) {
  test(title, async (t) => {
    const settings = {
      DATA_DIR: await newDataDir(t),
      FETCH_CONTENT: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    }
    const server = await startServer(t, settings)
    const scopes =
      'works:read,works:write,receipts:read,receipts:verify,people:read,people:write,search:read'
    const args = ['key', 'create', '--owner', 'org:demo', '--scopes', scopes]
    const { key } = await runJson<{ readonly key: string }>(t, args, settings)
    for (const name of ['first', 'second', 'third']) {
      const work = newWork(`The ${name} work`)
      t.is((await request(server, '/v1/works', { key, body: work })).status, 201)
    }

    const report = path.join(path.dirname(settings.DATA_DIR), 'report.json')
    const described = path.join(path.dirname(settings.DATA_DIR), 'openapi.json')
    await writeFile(described, JSON.stringify(await describedPaths(server.started.local_url)))
    const configured = path.join(path.dirname(settings.DATA_DIR), 'schemathesis.toml')
    await writeFile(configured, (await readFile(config, 'utf8')) + (isFull ? '' : sameBodies))
    const options = [
      '--config-file',
      configured,
      'run',
      described,
      '--url',
      server.started.local_url,
      '--continue-on-failure',
      '--header',
      `Authorization: Bearer ${key}`,
      // Its own bound of 10 s is that of a machine with nothing else to do.
      '--request-timeout',
      '60',
      '--seed',
      '1',
      '--no-shrink',
      '--no-color',
      '--phases',
      'examples,coverage,fuzzing',
      '--max-examples',
      String(examplesMax),
      '--generation-database',
      'none',
      '--suppress-health-check',
      'all',
      '--report',
      'json',
      '--report-json-path',
      report,
    ]
    const output = await run(options, path.dirname(settings.DATA_DIR))
    const { operations, test_cases, failures, errors } = await readReport(report)
    t.deepEqual(
      failures.map((failure) => `${failure.code} ${failure.title}: ${failure.operations.join()}`),
      [],
      output,
    )
    t.deepEqual(errors, [], output)
    t.is(operations.tested, operations.total)
    t.true(operations.total > 100)
    t.true(test_cases.generated > 50 * operations.total)
    const { code, stderr } = await server.end('SIGTERM')
    t.is(code, 0)
    t.notRegex(stderr, /"level":(?:50|60)/, 'nothing of it was a fault')
  })
} else {
  test.skip(`${title} (skipped: schemathesis is not installed)`, () => undefined)
}

type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { 'x-alias-of'?: string }>>>>
}

/**
 * The description of a registry: with every spelling of an operation, or without the paths that
 * have nothing but other spellings. Those have two thirds of all requests, and
 * `test/src/edge/openapi.test.ts` holds that their descriptions are equal.
 */
async function describedPaths(url: string): Promise<Description> {
  const response = await fetch(`${url}/openapi.json?aliases=true`)
  const description = (await response.json()) as Description
  const paths = Object.entries(description.paths).filter(
    ([, operations]) =>
      isFull ||
      Object.values(operations).some((operation) => operation['x-alias-of'] === undefined),
  )
  return { ...description, paths: Object.fromEntries(paths) }
}

/** Runs the tool in a folder and gives what it prints; how it ended is in the report. */
function run(options: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const bounds = { cwd, timeout: runMsMax, maxBuffer: 64 * 1_024 * 1_024 }
    execFile('st', options, bounds, (_error, stdout, stderr) => resolve(stdout + stderr))
  })
}

async function readReport(file: string): Promise<Report> {
  return JSON.parse(await readFile(file, 'utf8')) as Report
}
