import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Check } from 'typebox/schema'

import { canonicalJson, isJsonObject, parseJson } from '#actors/values/serialization.ts'
import { metadataHash } from '#actors/works/receipts/statement.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { emptyRootHash, leafHash, nodeHash } from '#log/tlog/hash.ts'
import {
  type DumpFile,
  dumpFormat,
  type DumpManifest,
  isThere,
  linesOf,
  manifestSchema,
  notProven,
  unusable,
} from '#src/discovery/dump/dump_file.ts'
import { checkTables } from '#src/discovery/dump/dump_tables.ts'
import { partsOf } from '#src/discovery/dump/dump_writer.ts'
import {
  entryOfLine,
  isIn,
  LoggedWorks,
  monthOf,
  type WorksPart,
} from '#src/discovery/dump/logged_works.ts'

/** What a checkpoint says that a log has signed. */
type SignedTree = { readonly treeSize: number; readonly rootHash: Uint8Array }

/** A dump that is proven, and the tables that lay beside it and say the same. */
type ProvenDump = { readonly manifest: DumpManifest; readonly tables: readonly string[] }

/**
 * Proves that the dump of a manifest has every work of the log up to its checkpoint, each as it was
 * registered, and no other, and that the tables that are there have the same rows. `openCheckpoint`
 * opens a checkpoint that the log has signed, and throws for any other. The works need to be there
 * in one encoding only. Errors: DumpError; those of `openCheckpoint` and of the file system.
 */
export async function checkDump(
  manifestFile: string,
  openCheckpoint: (note: string) => Promise<SignedTree>,
): Promise<ProvenDump> {
  const manifest = readManifest(await readFile(manifestFile, 'utf8'))
  const { log, counts, files } = manifest
  const signed = await openCheckpoint(log.checkpoint)
  const isSame = signed.treeSize === log.tree_size && encodeHex(signed.rootHash) === log.root_hash
  if (!isSame) throw notProven('the manifest names another tree than its checkpoint')
  if (counts.works > log.tree_size) throw notProven('it counts more works than the log has entries')
  const folder = path.dirname(manifestFile)
  const [entries, ...more] = files.filter(({ holds }) => holds === 'log')
  if (entries === undefined || more.length > 0) throw unusable('it must name one file of the log')
  if (!(await isThere(path.join(folder, entries.name)))) {
    throw unusable(`${entries.name} is missing: put it beside the manifest`)
  }
  await checkEntries(folder, entries, log)
  const named = files.filter(({ holds }) => holds === 'works')
  const checked: DumpFile['encoding'][] = []
  for (const encoding of ['gzip', 'zstd'] as const) {
    const works = named.filter((file) => file.encoding === encoding)
    const there = await Promise.all(works.map(({ name }) => isThere(path.join(folder, name))))
    // A registry without works has no file of any.
    if (named.length > 0 && !there.some(Boolean)) continue
    const missing = works[there.indexOf(false)]
    if (missing !== undefined) throw unusable(`${missing.name} is missing`)
    const parts = partsOf(counts.works)
    const found = { works: 0, withdrawn: 0, without_metadata: 0 }
    for (let nth = 0; nth < parts; nth += 1) {
      await checkPart({ folder, entries, works, part: { nth, parts } }, found)
    }
    for (const [name, number] of Object.entries(found)) {
      if (counts[name as keyof typeof counts] !== number) {
        throw notProven(`the manifest counts another number of ${name}, ${number} are there`)
      }
    }
    checked.push(encoding)
  }
  const [encoding] = checked
  if (encoding === undefined) throw unusable('none of its files of works is there')
  const proven = files.filter((file) => file.holds === 'log' || file.encoding === encoding)
  return { manifest, tables: await checkTables(folder, proven, manifest.tables) }
}

async function checkEntries(
  folder: string,
  file: DumpFile,
  { tree_size, root_hash }: DumpManifest['log'],
): Promise<void> {
  const tree = new GrowingTree()
  for await (const line of linesOf(folder, file)) tree.add(entryOfLine(line))
  if (tree.size !== tree_size || encodeHex(tree.root()) !== root_hash) {
    throw notProven('the entries of the log are not those that its checkpoint covers')
  }
}

type CheckedPart = {
  readonly folder: string
  readonly entries: DumpFile
  readonly works: readonly DumpFile[]
  readonly part: WorksPart
}

/** Holds the works of a part against the log, and counts them. */
async function checkPart(
  { folder, entries, works, part }: CheckedPart,
  found: Counts,
): Promise<void> {
  const logged = new LoggedWorks(part)
  for await (const line of linesOf(folder, entries)) logged.add(entryOfLine(line))
  const seen = new Set<string>()
  for (const file of works) {
    for await (const line of linesOf(folder, file))
      checkWork({ line, file, part, logged, seen }, found)
  }
  for (const { ark } of logged.all()) if (!seen.has(ark)) throw notProven(`${ark} is missing`)
}

function readManifest(text: string): DumpManifest {
  const value = parseJson(text)
  if (!Check(manifestSchema, value)) throw unusable(`the manifest is none of ${dumpFormat}`)
  return value
}

type Counts = { -readonly [Name in keyof DumpManifest['counts']]: number }

type CheckedLine = {
  readonly line: Buffer
  readonly file: DumpFile
  readonly part: WorksPart
  readonly logged: LoggedWorks
  readonly seen: Set<string>
}

function checkWork({ line, file, part, logged: works, seen }: CheckedLine, found: Counts): void {
  const text = line.toString('utf8')
  const work = parseJson(text)
  const ark = isJsonObject(work) ? work['ark'] : undefined
  if (typeof ark === 'string' && !isIn(part, ark)) return
  const logged = typeof ark === 'string' ? works.get(ark) : undefined
  if (!isJsonObject(work) || logged === undefined) {
    throw notProven(`the log has no such work: ${text.slice(0, 100)}`)
  }
  if (seen.has(logged.ark)) throw notProven(`${logged.ark} is there twice`)
  seen.add(logged.ark)
  const names = [...Object.keys(logged), 'metadata']
  const isSpelled = Object.keys(work).join() === names.join() && JSON.stringify(work) === text
  if (!isSpelled) throw notProven(`${logged.ark} has other members than ${names.join(', ')}`)
  for (const [name, value] of Object.entries(logged)) {
    if (work[name] !== value) throw notProven(`${logged.ark}: ${name} is not what the log says`)
  }
  if (monthOf(logged) !== file.month) throw notProven(`${logged.ark} is in a file of another month`)
  const { metadata } = work
  const isErased = metadata === null && logged.status === 'withdrawn'
  if (!isErased && hashOf(metadata) !== logged.metadata_hash) {
    throw notProven(`${logged.ark}: the metadata are not those that were registered`)
  }
  found.works += 1
  if (logged.status === 'withdrawn') found.withdrawn += 1
  if (isErased) found.without_metadata += 1
}

function hashOf(metadata: unknown): string | undefined {
  try {
    return metadataHash(canonicalJson(metadata))
  } catch {
    // Half a character has no canonical form, and was never registered.
    return undefined
  }
}

/** A tree to which leaves are added one after another: of complete subtrees the roots are kept. */
class GrowingTree {
  readonly #roots: { readonly level: number; readonly hash: Uint8Array }[] = []
  size = 0

  add(entry: Uint8Array): void {
    let [level, hash] = [0, leafHash(entry)]
    for (let left = this.#roots.at(-1); left?.level === level; left = this.#roots.at(-1)) {
      this.#roots.pop()
      hash = nodeHash(left.hash, hash)
      level += 1
    }
    this.#roots.push({ level, hash })
    this.size += 1
  }

  root(): Uint8Array {
    const hashes = this.#roots.map(({ hash }) => hash)
    const last = hashes.pop()
    return last === undefined
      ? emptyRootHash
      : hashes.reduceRight((right, left) => nodeHash(left, right), last)
  }
}
