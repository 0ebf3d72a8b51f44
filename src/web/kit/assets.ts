import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

import { scripts } from '#src/web/kit/scripts.ts'

/** A file that pages load: its path, which also is below the auth prefix, names its content. */
export type Asset = { readonly path: string; readonly type: string; readonly content: Buffer }

function readAsset(name: string, type: string): Asset {
  const content = readFileSync(new URL(name, import.meta.url))
  const digest = hash('sha256', content).slice(0, 16)
  return { path: `/assets/${name.replace('.', `.${digest}.`)}`, type, content }
}

/** The stylesheet of all pages. */
export const stylesheet = readAsset('style.css', 'text/css; charset=utf-8')

/** What a browser shows beside the title of a page. */
export const icon = readAsset('icon.svg', 'image/svg+xml')

/** The stylesheet of the pages of works, after the common one. */
export const landingStyle = readAsset('landing.css', 'text/css; charset=utf-8')

/** The stylesheet of the first page, of search and of lists for readers, after the common one. */
export const readersStyle = readAsset('readers.css', 'text/css; charset=utf-8')

/** Serves the files that pages load. */
export function registerAssets(server: FastifyInstance): void {
  for (const { path, type, content } of [
    stylesheet,
    icon,
    readersStyle,
    landingStyle,
    ...scripts,
  ]) {
    server.get(path, { schema: { hide: true } }, (_request, reply) => {
      reply.header('content-type', type)
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.send(content)
    })
  }
}
