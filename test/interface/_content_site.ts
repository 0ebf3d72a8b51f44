import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** A site of this machine that has the content of works. */
export type ContentSite = {
  /** As FETCH_ALLOW names it. */
  readonly hostPort: string
  /** The address of content that is there and stays as it is. */
  stable(name: string): string
  /** The address of content that is sent only once it is let go. */
  held(name: string): string
  /** The address of content that can be revised, and taken away. */
  changing(name: string): string
  letGo(name: string): void
  revise(name: string): void
  takeAway(name: string): void
  /** Has changing content be as it was at first. */
  restore(name: string): void
  /** SHA-256 and SHA-512 of the stable content of a name, as hex. */
  hashesOf(name: string): { readonly sha256: string; readonly sha512: string }
}

/** What stable content is said to be. */
export const contentType = 'application/pdf'

const textOf = (name: string) => `%PDF-1.7 the content of ${name}\n`

/** Serves content until its owner ends it. */
export async function openContentSite(owner: Owner, port = 0): Promise<ContentSite> {
  const waiting = new Map<string, (() => void)[]>()
  const state = new Map<string, string | undefined>()
  const server = http.createServer((request, response) => {
    const [, kind = '', name = ''] = (request.url ?? '').split('/')
    const isChanged = kind === 'changing' && state.has(name)
    const reply = () => answer(response, isChanged ? state.get(name) : textOf(name))
    if (kind !== 'held' || state.has(name)) return reply()
    waiting.set(name, [...(waiting.get(name) ?? []), reply])
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  owner.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const addressOf = (kind: string) => (name: string) => `http://${hostPort}/${kind}/${name}`
  return {
    hostPort,
    stable: addressOf('stable'),
    held: addressOf('held'),
    changing: addressOf('changing'),
    letGo(name) {
      state.set(name, '')
      for (const reply of waiting.get(name) ?? []) reply()
    },
    revise: (name) => void state.set(name, `a revision of ${name}\n`),
    restore: (name) => void state.delete(name),
    takeAway: (name) => void state.set(name, undefined),
    hashesOf(name) {
      const hash = (algorithm: string) => createHash(algorithm).update(textOf(name)).digest('hex')
      return { sha256: hash('sha256'), sha512: hash('sha512') }
    },
  }
}

function answer(response: http.ServerResponse, text: string | undefined): void {
  if (text === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': contentType }).end(text)
}
