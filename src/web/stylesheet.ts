import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const text = readFileSync(new URL('style.css', import.meta.url))

/** Path of the stylesheet below the auth prefix. It names its content, so it never changes. */
export const stylesheetPath = `/assets/style.${hash('sha256', text).slice(0, 16)}.css`

/** Serves the stylesheet. */
export function registerStylesheet(server: FastifyInstance): void {
  server.get(stylesheetPath, { schema: { hide: true } }, (_request, reply) => {
    reply.header('content-type', 'text/css; charset=utf-8')
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.send(text)
  })
}
