import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

/** A page, and how long it took from its request to its last byte. */
export type PageReply = {
  readonly body: string
  /** Bytes of the body as they were sent. */
  readonly sentBytes: number
  readonly ms: number
}

/** What a browser of today sends. */
const asked = { accept: 'text/html,*/*', 'accept-encoding': 'gzip, deflate, br, zstd' }

const codings: Readonly<Record<string, (sent: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/**
 * One reader, who asks for one page after another on a connection that stays: as anybody for public
 * pages, and as somebody who is signed in for those of accounts.
 */
export class PageReader {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  readonly #port: number
  readonly #cookie: string

  constructor(port: number, cookie: string) {
    this.#port = port
    this.#cookie = cookie
  }

  /** Asks for a page, and reads it to its end. */
  async ask(path: string): Promise<PageReply> {
    const startMs = performance.now()
    const response = await this.#request(path, this.#agent)
    const sent = await buffer(response)
    const ms = performance.now() - startMs
    const decode = codings[response.headers['content-encoding'] ?? '']
    const body = (decode?.(sent) ?? sent).toString('utf8')
    // A search that names one record leads to it.
    const isAnswer = response.statusCode === 200 || response.statusCode === 303
    if (!isAnswer) throw new Error(`${path}: ${response.statusCode} ${body}`)
    return { body, sentBytes: sent.length, ms }
  }

  /** Asks for a file by a connection of its own, and hangs up when it begins; in milliseconds. */
  async begin(path: string): Promise<number> {
    const startMs = performance.now()
    const response = await this.#request(path, false)
    await once(response, 'readable')
    const ms = performance.now() - startMs
    response.destroy()
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return ms
  }

  #request(path: string, agent: http.Agent | false): Promise<http.IncomingMessage> {
    const isForMembers = path.startsWith('/auth/')
    const headers = { ...asked, ...(isForMembers && { cookie: this.#cookie }) }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    http
      .get({ host: '127.0.0.1', port: this.#port, path, headers, agent }, resolve)
      .once('error', reject)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
