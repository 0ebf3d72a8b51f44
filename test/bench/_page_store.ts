import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'

import { runArklog } from '#test/bench/_registry_server.ts'
import { titleOf } from '#test/bench/_search_corpus.ts'
import { createWork, type WorkBody } from '#test/bench/_works.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'

/** The organization that owns all works. */
export const press = 'press'

const owner = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'engines weave patterns' }

/** Who is signed in: an owner of the organization. */
export type Reader = { readonly ppid: string; readonly cookie: string }

/** Works to be registered, each with an address and a DOI of its own. */
export type PageWorks = { readonly file: string | undefined; readonly count: number }

/** Makes the organization and an owner of it, who is signed in. */
export async function foundPress(dataDir: string, port: number): Promise<Reader> {
  await runArklog(dataDir, ['organization', 'create', press, '--name', 'Taylor Press'])
  const browser = new JarBrowser(port, `http://127.0.0.1:${port}`)
  const ppid = await browser.signUp(owner)
  await runArklog(dataDir, ['organization', 'member', 'add', press, ppid, 'owner'])
  const { email, password } = owner
  await browser.signIn(email, password)
  return { ppid, cookie: browser.cookies }
}

/** Writes the works of a file as often as is needed, or made-up ones, as lines to be imported. */
export async function writeWorks(target: string, { file, count }: PageWorks): Promise<void> {
  const given = file === undefined ? undefined : await readLines(file)
  const lines = given === undefined ? madeUpLines(count) : repeatedLines(given, count)
  await pipeline(Readable.from(lines), createWriteStream(target))
}

function* madeUpLines(count: number): Generator<string> {
  for (let n = 0; n < count; n += 1) yield lineOf({ ...createWork(n), work_title: madeUpTitle(n) })
}

/** The title of the n-th made-up work, of words as unevenly common as those of a language. */
export function madeUpTitle(n: number): string {
  return titleOf(n).join(' ')
}

function* repeatedLines(given: readonly string[], count: number): Generator<string> {
  for (let n = 0; n < count; n += 1) {
    const line = given[n % given.length] ?? ''
    const copy = Math.floor(n / given.length)
    yield copy === 0 ? `${line}\n` : lineOf(copyOf(JSON.parse(line) as WorkBody, copy))
  }
}

function copyOf({ work_url: url, existing_doi: doi, ...work }: WorkBody, copy: number): WorkBody {
  const parted = url?.includes('?') === true ? '&' : '?'
  return {
    ...work,
    ...(url !== undefined && { work_url: `${url}${parted}copy=${copy}` }),
    ...(doi !== undefined && { existing_doi: `${doi}.copy${copy}` }),
  }
}

async function readLines(file: string): Promise<readonly string[]> {
  const bytes = await readFile(file)
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
  const lines = text.toString('utf8').trim().split('\n')
  if (lines[0] === '') throw new Error(`${file} has no works`)
  return lines
}

function lineOf(work: WorkBody): string {
  return `${JSON.stringify(work)}\n`
}
