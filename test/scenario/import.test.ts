import fs from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import {
  call,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { killOnceNoted } from '#test/scenario/_killed_import.ts'
import { shareServer } from '#test/scenario/_shared_server.ts'

type Report = {
  readonly registry: { readonly data_dir: string; readonly environment: string }
  readonly registered: number
  readonly failed: number
  readonly works_per_second: number
  readonly failures: readonly { line: number; status: number; error: string; message: string }[]
}

type Change = { readonly type: string; readonly metadata: { readonly work_title: string } }

function worksAsLines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => JSON.stringify(newWork(`Work ${index + 1}`)))
}

/** How many entries the log has: one for each registration. */
async function treeSize(server: Server): Promise<number> {
  const response = await fetch(`${server.started.local_url}/log/checkpoint`)
  return Number((await response.text()).split('\n')[1])
}

const shared = shareServer()

test.serial('a file is imported into a running server, and not twice', async (t) => {
  const { server, settings } = shared()
  const file = path.join(settings.DATA_DIR, 'works.jsonl.gz')
  const lines = worksAsLines(1_200)
  lines[4] = '{"work_title": "No type"}'
  lines[7] = 'no JSON'
  // Together these two would be one object; each alone is none.
  lines[20] = '{"work_title": "Half"'
  lines[21] = '"work_type": "article"}'
  // JSON, but not the strict JSON of the interface: its call is refused as a whole.
  lines[30] = '{"work_title": "One", "work_title": "Two"}'
  lines[40] = ''
  await fs.writeFile(file, gzipSync(lines.join('\n')))

  const args = ['import', file, '--owner', 'org:demo']
  const { code, stdout, stderr } = await runArklog(t, [...args, '--json'], settings)
  t.is(code, 1)
  t.is((JSON.parse(stderr) as { error: string }).error, 'lines_failed')
  const report = JSON.parse(stdout) as Report
  t.is(report.registered, 1_194)
  t.is(report.failed, 5)
  t.true(report.works_per_second > 0)
  t.deepEqual(
    report.failures.map(({ line, status, error }) => [line, status, error]),
    [
      [5, 422, 'validation_failed'],
      [8, 400, 'bad_request'],
      [21, 400, 'bad_request'],
      [22, 400, 'bad_request'],
      [31, 400, 'bad_request'],
    ],
  )
  const reasons = (report.failures[0]?.message ?? '').match(/work_type must|work_type is/g)
  t.is(reasons?.length, 1, 'a reason is said once')
  t.is(await treeSize(server), 1_194)

  const again = await runArklog(t, args, settings)
  t.is(again.code, 0)
  t.regex(again.stdout, /was imported before\. Use --restart to register its works once more\.\n$/)
  t.is(await treeSize(server), 1_194)

  const restarted = await runArklog(t, [...args, '--restart'], settings)
  t.is(restarted.code, 1)
  t.regex(restarted.stderr, /^arklog: works go to the live registry of .*\/log in .*\n/)
  t.regex(restarted.stdout, /^line 5: 422 validation_failed: .*\nline 8: 400 bad_request: /)
  t.regex(restarted.stdout, /1194 works registered, 5 lines failed; this run took .* works\/s\.\n$/)
  t.is(await treeSize(server), 2_388)
})

test.serial('a file is imported without a server, for the operator', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  const file = path.join(path.dirname(settings.DATA_DIR), 'works.jsonl')
  await fs.writeFile(file, `${worksAsLines(3).join('\n')}\n`)
  const refused = await runArklog(t, ['import', file], settings)
  t.is(refused.code, 1)
  t.regex(refused.stderr, /has no registry, so nothing was imported\. .* with --new\.\n$/)
  await t.throwsAsync(fs.stat(settings.DATA_DIR), { code: 'ENOENT' })

  const made = await runArklog(t, ['import', file, '--new', '--json'], settings)
  const { notice, message } = JSON.parse(made.stderr) as { notice: string; message: string }
  t.is(notice, 'registry_made')
  t.regex(message, / had no registry\. A new one, .*\/log, was created there\.$/)
  const report = JSON.parse(made.stdout) as Report
  t.is(report.registry.data_dir, settings.DATA_DIR)
  t.is(report.registry.environment, 'live')
  t.is(report.registered, 3)
  t.deepEqual(report.failures, [])

  const key = await runJson<{ key: string }>(
    t,
    ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:read'],
    settings,
  )
  const server = await startServer(t, settings)
  const { body } = await call<{ changes: Change[] }>(server, '/v1/changes', key)
  const titles = body.changes.map(({ metadata }) => metadata?.work_title)
  t.deepEqual(titles.filter((title) => title !== undefined).sort(), ['Work 1', 'Work 2', 'Work 3'])
})

test.serial('an import that is killed goes on and registers every line once', async (t) => {
  const { server, settings } = shared()
  const before = await treeSize(server)
  const file = path.join(settings.DATA_DIR, 'works.jsonl')
  const count = 5_000
  await fs.writeFile(file, worksAsLines(count).join('\n'))
  const args = ['import', file, '--owner', 'org:demo']

  const noted = await killOnceNoted(t, args, settings, 0)
  t.true(noted > 0)
  const begun = (await treeSize(server)) - before
  t.true(begun > 0 && begun < count, `${begun} works`)

  const report = await runJson<Report>(t, args, settings)
  t.is(report.registered, count)
  t.deepEqual(report.failures, [])
  t.is(await treeSize(server), before + count)
})

test.serial(
  'the files of reference managers are imported, with what is wrong in them',
  async (t) => {
    const { server, settings } = shared()
    const before = await treeSize(server)
    const bib = path.join(settings.DATA_DIR, 'works.bib')
    const ris = path.join(settings.DATA_DIR, 'works.ris')
    await fs.writeFile(
      bib,
      `@article{a, title={\\"Uber A}, author={Doe, Jane}, doi={10.1234/a}} @misc{b, title={B}}
@book{c, title={C}, author={Doe, Jane}, url={https://example.org/c}}`,
    )
    await fs.writeFile(ris, 'TY  - JOUR\nTI  - D\nAU  - Doe, Jane\nDO  - 10.1234/d\nER  - \n')
    const args = ['--owner', 'org:demo', '--json']
    const { code, stdout } = await runArklog(t, ['import', bib, ...args], settings)
    t.is(code, 1)
    const report = JSON.parse(stdout) as Report
    t.is(report.registered, 2)
    t.deepEqual(report.failures, [
      {
        line: 1,
        status: 422,
        error: 'validation_failed',
        message:
          'b: The entry has no author: give it one. The entry has no url or doi: give it one.',
      },
    ])
    const imported = await runJson<Report>(t, ['import', ris, ...args], settings)
    t.is(imported.registered, 1)
    t.is(await treeSize(server), before + 3)

    const none = path.join(settings.DATA_DIR, 'none.bib')
    await fs.writeFile(none, 'nothing')
    const refused = await runArklog(t, ['import', none], settings)
    t.is(refused.code, 1)
    t.regex(refused.stderr, /^arklog: There is no entry of BibTeX/m)
  },
)

test.serial(
  'a mended file changes the works that have its DOIs, and makes none twice',
  async (t) => {
    const settings = { DATA_DIR: await newDataDir(t) }
    const file = path.join(path.dirname(settings.DATA_DIR), 'dois.jsonl')
    const works = Array.from({ length: 1_200 }, (_, index) => {
      return { ...newWork(`DOI ${index}`), existing_doi: `10.5555/dump.${index}`, volume: '1' }
    })
    const importAll = async (lines: readonly object[], ...more: readonly string[]) => {
      await fs.writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const args = ['import', file, '--owner', 'org:demo', '--update', '--json', ...more]
      return JSON.parse((await runArklog(t, args, settings)).stdout) as Report & {
        readonly changed: number
        readonly unchanged: number
      }
    }
    const first = await importAll(works, '--new')
    t.like(first, { registered: 1_200, changed: 0, unchanged: 0, failed: 0 })
    const { volume: _, ...withoutVolume } = works[3] ?? {}
    const mended = [
      { ...works[0], work_title: 'Mended', existing_doi: 'https://doi.org/10.5555/DUMP.0' },
      ...works.slice(1, 3),
      withoutVolume,
      ...works.slice(4),
      { ...newWork('One more'), existing_doi: '10.5555/dump.more' },
      newWork('Without a DOI'),
    ]
    const wanted = { registered: 2, changed: 2, unchanged: 1_198, failed: 0 }
    t.like(await importAll(mended, '--dry-run'), wanted)
    t.like(await importAll(mended), wanted)
    const server = await startServer(t, settings)
    t.is(await treeSize(server), 1_204)
  },
)
