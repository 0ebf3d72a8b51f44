import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'

import { canonicalJson, isJsonObject, parseJson } from '#actors/values/serialization.ts'
import { metadataHash } from '#actors/works/receipts/statement.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { emptyRootHash, leafHash, nodeHash } from '#log/tlog/hash.ts'
import { dumpFormat, type DumpManifest } from '#src/discovery/dump/dump_writer.ts'
import { DumpError, entryOfLine, LoggedWorks } from '#src/discovery/dump/logged_works.ts'

const hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const strict = { additionalProperties: false }

const manifestSchema = Type.Object(
  {
    format: Type.Literal(dumpFormat),
    made_at: Type.String(),
    registry: Type.Object({ name: Type.String(), url: Type.String() }, strict),
    documentation: Type.String(),
    log: Type.Object(
      { origin: Type.String(), tree_size: whole, root_hash: hex, checkpoint: Type.String() },
      strict,
    ),
    counts: Type.Object({ works: whole, withdrawn: whole, without_metadata: whole }, strict),
    files: Type.Array(
      Type.Object(
        {
          // Without a slash: a manifest names nothing outside of its folder.
          name: Type.String({ pattern: '^[a-z]+-[0-9]+\\.jsonl\\.(?:gz|zst)$' }),
          holds: Type.Union([Type.Literal('works'), Type.Literal('log')]),
          encoding: Type.Union([Type.Literal('gzip'), Type.Literal('zstd')]),
          bytes: whole,
          sha256: hex,
          lines: whole,
          lines_sha256: hex,
        },
        strict,
      ),
      { minItems: 2, maxItems: 16 },
    ),
  },
  strict,
)

/** Bytes of a line at most: metadata has 256 KiB and more once it is spelled. */
const lineBytesMax = 4_194_304

/** What a checkpoint says that a log has signed. */
type SignedTree = { readonly treeSize: number; readonly rootHash: Uint8Array }

/**
 * Proves that the dump of a manifest has every work of the log up to its checkpoint, each as it was
 * registered, and no other. `openCheckpoint` opens a checkpoint that the log has signed, and throws
 * for any other. A file of works need not be there if another one is. Errors: DumpError; those of
 * `openCheckpoint` and of the file system.
 */
export async function checkDump(
  manifestFile: string,
  openCheckpoint: (note: string) => Promise<SignedTree>,
): Promise<DumpManifest> {
  const manifest = readManifest(await readFile(manifestFile, 'utf8'))
  const { log, counts, files } = manifest
  const signed = await openCheckpoint(log.checkpoint)
  const isSame = signed.treeSize === log.tree_size && encodeHex(signed.rootHash) === log.root_hash
  if (!isSame) throw notProven('the manifest names another tree than its checkpoint')
  const folder = path.dirname(manifestFile)
  const works = new LoggedWorks()
  const tree = new GrowingTree()
  const [entries, ...more] = files.filter(({ holds }) => holds === 'log')
  if (entries === undefined || more.length > 0) throw unusable('it must name one file of the log')
  if (!(await isThere(path.join(folder, entries.name)))) {
    throw unusable(`${entries.name} is missing: put it beside the manifest`)
  }
  for await (const line of linesOf(folder, entries)) {
    const entry = entryOfLine(line)
    works.add(entry)
    tree.add(entry)
  }
  if (tree.size !== log.tree_size || encodeHex(tree.root()) !== log.root_hash) {
    throw notProven('the entries of the log are not those that its checkpoint covers')
  }
  let checked = 0
  for (const file of files.filter(({ holds }) => holds === 'works')) {
    if (await isThere(path.join(folder, file.name))) {
      const found = await checkWorks(linesOf(folder, file), works)
      for (const [name, number] of Object.entries(found)) {
        if (counts[name as keyof typeof counts] !== number) {
          throw notProven(`the manifest counts another number of ${name}, ${number} are there`)
        }
      }
      checked += 1
    }
  }
  if (checked === 0) throw unusable('none of its files of works is there')
  return manifest
}

function readManifest(text: string): DumpManifest {
  const value = parseJson(text)
  if (!Check(manifestSchema, value)) throw unusable(`the manifest is none of ${dumpFormat}`)
  return value
}

async function isThere(file: string): Promise<boolean> {
  const stream = createReadStream(file)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  stream.once('open', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => stream.destroy())
}

/** The lines of a file, which must have the hashes and the numbers that the manifest names. */
async function* linesOf(
  folder: string,
  { name, encoding, bytes, sha256, lines, lines_sha256 }: DumpManifest['files'][number],
): AsyncGenerator<Buffer> {
  const packed = createHash('sha256')
  const unpacked = createHash('sha256')
  let [size, count] = [0, 0]
  let rest: Buffer = Buffer.of()
  const source = createReadStream(path.join(folder, name))
  source.on('data', (chunk: string | Buffer) => {
    packed.update(chunk)
    size += chunk.length
  })
  const unpack = encoding === 'gzip' ? createGunzip() : createZstdDecompress()
  source.on('error', (error) => unpack.destroy(error))
  try {
    for await (const chunk of source.pipe(unpack) as AsyncIterable<Buffer>) {
      unpacked.update(chunk)
      const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, start)) {
        count += 1
        yield all.subarray(start, end)
        start = end + 1
      }
      rest = all.subarray(start)
      if (rest.length > lineBytesMax) throw unusable(`${name}: a line is too long`)
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!code.startsWith('Z_') && !code.startsWith('ZSTD_')) throw error
    throw unusable(`${name} cannot be unpacked: ${(error as Error).message}`)
  }
  const isWhole = size === bytes && packed.digest('hex') === sha256 && rest.length === 0
  const isSaid = count === lines && unpacked.digest('hex') === lines_sha256
  if (!isWhole || !isSaid) throw notProven(`${name} is not the file that the manifest names`)
}

async function checkWorks(
  lines: AsyncIterable<Buffer>,
  works: LoggedWorks,
): Promise<DumpManifest['counts']> {
  const seen = new Set<string>()
  const found = { works: 0, withdrawn: 0, without_metadata: 0 }
  for await (const line of lines) {
    const text = line.toString('utf8')
    const work = parseJson(text)
    const ark = isJsonObject(work) ? work['ark'] : undefined
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
    const { metadata } = work
    const isErased = metadata === null && logged.status === 'withdrawn'
    if (!isErased && hashOf(metadata) !== logged.metadata_hash) {
      throw notProven(`${logged.ark}: the metadata are not those that were registered`)
    }
    found.works += 1
    if (logged.status === 'withdrawn') found.withdrawn += 1
    if (isErased) found.without_metadata += 1
  }
  for (const { ark } of works.all()) if (!seen.has(ark)) throw notProven(`${ark} is missing`)
  return found
}

function hashOf(metadata: unknown): string | undefined {
  try {
    return metadataHash(canonicalJson(metadata))
  } catch {
    // Half a character has no canonical form, and was never registered.
    return undefined
  }
}

function notProven(why: string): DumpError {
  return new DumpError('dump_not_proven', why)
}

function unusable(why: string): DumpError {
  return new DumpError('dump_unusable', why)
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
