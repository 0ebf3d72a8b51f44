import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

const gzipMagic = Buffer.from([0x1f, 0x8b])

/** A file that is read from its start: `text` unpacked where it is gzip, `bytesRead` as stored. */
export type ImportSource = {
  readonly bytes: number
  readonly text: AsyncIterable<Buffer>
  readonly bytesRead: number
}

/** Opens a file of text, plain or gzip: its first bytes tell, not its name. */
export async function openSource(file: string): Promise<ImportSource> {
  const { size } = await fs.stat(file)
  const packed = await startsWith(file, gzipMagic)
  const stored = createReadStream(file)
  const text = packed ? stored.pipe(createGunzip()) : stored
  // The unpacked stream is the one that is read; a fault of the file must reach it.
  if (packed) stored.on('error', (error) => text.destroy(error))
  return {
    bytes: size,
    text,
    get bytesRead() {
      return stored.bytesRead
    },
  }
}

async function startsWith(file: string, magic: Buffer): Promise<boolean> {
  const handle = await fs.open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return bytesRead === magic.length && buffer.equals(magic)
  } finally {
    await handle.close()
  }
}

/** SHA-256 of a file, in hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
