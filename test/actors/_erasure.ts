import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Environment } from '#actors/registry/environment.ts'
import { admin, arkOf, demo, metadataOf, register } from '#test/actors/_environment.ts'

/** Texts with a word in each that stands in no other place. */
export type Planted = Readonly<
  Record<'title' | 'author' | 'description' | 'url' | 'doi' | 'note' | 'why' | 'older', string>
>

const wordForm = /[a-z0-9]{24}/

function drawWord(): string {
  return Array.from(randomBytes(24), (byte) => (byte % 36).toString(36)).join('')
}

/** Draws texts to plant. */
export function plantedWords(): Planted {
  return {
    title: `Title ${drawWord()}`,
    author: `Author ${drawWord()}`,
    description: `Description ${drawWord()}`,
    url: `https://example.org/${drawWord()}`,
    doi: `10.5555/${drawWord()}`,
    note: `Note ${drawWord()}`,
    why: `Why ${drawWord()}`,
    older: `Older ${drawWord()}`,
  }
}

/** The body of a work that holds planted words. */
export function plantedWork({ older, author, description, url, doi }: Planted) {
  return {
    work_title: older,
    authors: author,
    author_details: [{ name: author, affiliation: `Of ${author}` }],
    description,
    work_url: url,
    existing_doi: doi,
  }
}

/** Registers a work with two versions that hold planted words, and withdraws it; gives its ARK. */
export async function registerPlanted(
  environment: Environment,
  planted: Planted,
  { withdraws = true }: { readonly withdraws?: boolean } = {},
): Promise<string> {
  const { older, ...more } = { ...plantedWork(planted), older: planted.older }
  const ark = arkOf(await register(environment, metadataOf(older, more)))
  const patch = { work_title: planted.title }
  const version = { ark, patch, versionNote: planted.note, by: demo }
  const added = await environment.works.addVersion(version)
  if (added.type !== 'changed') throw new Error(`the version is ${added.type}`)
  if (!withdraws) return ark
  const gone = { ark, reason: 'author_request', note: planted.why, by: demo } as const
  const withdrawn = await environment.works.withdraw(gone)
  if (withdrawn.type !== 'changed') throw new Error(`the withdrawal is ${withdrawn.type}`)
  return ark
}

/** The command that erases a work, as an administrator. */
export function erasureOf(ark: string, withdraws = false) {
  return { ark, reason: 'legal', withdraws, by: admin } as const
}

/**
 * The names of the planted texts whose word stands in a text or in bytes, whole or in part: where
 * LevelDB has compressed a word, some of its letters may stand elsewhere.
 */
export function foundIn(bytes: Uint8Array | string, planted: Partial<Planted>): string[] {
  const buffer = Buffer.from(bytes as Uint8Array)
  const found = Object.entries(planted).filter(([, text]) => {
    const [word = ''] = wordForm.exec(text) ?? []
    return [0, 4, 8, 12, 16].some((at) => buffer.includes(word.slice(at, at + 8)))
  })
  return found.map(([name]) => name)
}

/** The names of the planted words that stand in any file below a folder, sorted. */
export async function foundInFiles(folder: string, planted: Planted): Promise<string[]> {
  const found = new Set<string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // LevelDB may delete a file after it was listed.
    const bytes = await readFile(path.join(entry.parentPath, entry.name)).catch(() => '')
    for (const name of foundIn(bytes, planted)) found.add(name)
  }
  return [...found].sort()
}
