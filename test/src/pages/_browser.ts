// What a browser does with pages: keeps its cookie, and fills forms in.

import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'

export type Answer = {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

type Request = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly payload?: string
  readonly headers: Record<string, string>
}

/** Sends a request to a server. */
export type Send = (request: Request) => Promise<Answer>

/** Sends requests to a server of this process, without a network. */
function inProcess(server: FastifyInstance): Send {
  return async (request) => {
    const { statusCode: status, headers, body } = await server.inject(request)
    return { status, headers, body }
  }
}

/** Sends requests over the network. */
export function overNetwork(origin: string): Send {
  return async ({ method, url, payload, headers: { host: _host, ...headers } }) => {
    const body = payload ?? null
    const answer = await fetch(origin + url, { method, headers, body, redirect: 'manual' })
    const cookies = answer.headers.getSetCookie()
    const received = { ...Object.fromEntries(answer.headers), 'set-cookie': cookies }
    return { status: answer.status, headers: received, body: await answer.text() }
  }
}

/** A browser of one person. */
export class Browser {
  readonly #send: Send
  readonly #origin: string
  /** The cookie of the session. */
  cookie: string | undefined
  /** Those by which accounts know the browser again. */
  readonly #others = new Map<string, string>()

  constructor(server: FastifyInstance | Send, origin = 'https://registry.example') {
    this.#send = typeof server === 'function' ? server : inProcess(server)
    this.#origin = origin
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask({ method: 'GET', url, headers })
  }

  /** Loads a page and sends its form, with the hidden fields above its footer. */
  async submit(page: string, fields: Record<string, string>, action = page): Promise<Answer> {
    const { body } = await this.get(page)
    const [content = ''] = body.split('<footer')
    const hidden = [...content.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
    const form = new Map(hidden.map(([, name = '', value = '']) => [name, unescapeHtml(value)]))
    return this.post(action, { ...Object.fromEntries(form), ...fields })
  }

  /** Sends a form as it is. */
  post(
    url: string,
    fields: Record<string, string> | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const payload = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const from = { origin: this.#origin, 'sec-fetch-site': 'same-origin' }
    return this.#ask({ method: 'POST', url, payload, headers: { ...from, ...type, ...headers } })
  }

  async #ask(request: Request): Promise<Answer> {
    const kept = [...(this.cookie === undefined ? [] : [this.cookie]), ...this.#others.values()]
    const cookie = kept.length === 0 ? {} : { cookie: kept.join('; ') }
    const { host } = new URL(this.#origin)
    const headers = { host, accept: 'text/html', ...cookie, ...request.headers }
    const answer = await this.#send({ ...request, headers })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';', 1)
      const [name = ''] = pair.split('=', 1)
      if (name.includes('session_') || name === 'arklog_language') this.#others.set(name, pair)
      else this.cookie = pair
    }
    return answer
  }
}

/** A text of a page as a browser reads it: the signs that are escaped by number. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
