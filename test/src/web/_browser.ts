// What a browser does with pages: keeps its cookie, fills forms in, follows a redirect. Requests go
// through a real registry without a network.

import type { FastifyInstance } from 'fastify'
import type { Response } from 'light-my-request'

export type Answer = {
  readonly status: number
  readonly headers: Response['headers']
  readonly body: string
}

/** A browser of one person at `https://registry.example`. */
export class Browser {
  readonly #server: FastifyInstance
  cookie: string | undefined

  constructor(server: FastifyInstance) {
    this.#server = server
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send({ method: 'GET', url, headers })
  }

  /** Loads a page and sends its form, with the hidden fields that it has. */
  async submit(page: string, fields: Record<string, string>, action = page): Promise<Answer> {
    const { body } = await this.get(page)
    const hidden = [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
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
    const from = { origin: 'https://registry.example', 'sec-fetch-site': 'same-origin' }
    return this.#send({ method: 'POST', url, payload, headers: { ...from, ...type, ...headers } })
  }

  async #send(request: {
    method: 'GET' | 'POST'
    url: string
    payload?: string
    headers: Record<string, string>
  }): Promise<Answer> {
    const cookie = this.cookie === undefined ? {} : { cookie: this.cookie }
    const headers = { host: 'registry.example', accept: 'text/html', ...cookie, ...request.headers }
    const answer = await this.#server.inject({ ...request, headers })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      this.cookie = line.split(';', 1)[0]
    }
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
