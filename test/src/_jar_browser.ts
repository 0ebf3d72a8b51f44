// A browser of one person against a server that listens: keeps cookies, sends forms with the token
// of the page before, follows redirects within the registry, and permits applications.

import { hash } from 'node:crypto'
import http from 'node:http'
import { text } from 'node:stream/consumers'

export type PageAnswer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** An application that asks for permission. */
export type TestApplication = {
  readonly client_id: string
  readonly secret: string | null
  readonly redirectUri: string
}

export type Tokens = {
  readonly access_token: string
  readonly refresh_token?: string
  readonly scope: string
}

const verifier = 'a-verifier-of-more-than-forty-three-characters-0123456789'

export class JarBrowser {
  #port: number
  readonly #origin: string
  readonly #prefix: string
  readonly #cookies = new Map<string, string>()
  #csrf = ''

  /**
   * `origin` is the public address of the registry, which listens on a port of this machine, and
   * `prefix` the path of its pages, which are others in the sandbox.
   */
  constructor(port: number, origin: string, prefix = '/auth') {
    this.#port = port
    this.#origin = origin
    this.#prefix = prefix
  }

  /** Reaches the registry at another port from now on, as a balancer may have it. */
  turnTo(port: number): void {
    this.#port = port
  }

  /** What a cookie holds. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** All cookies, as they are sent. */
  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Loads a page; its forms can be sent then. */
  async get(path: string): Promise<PageAnswer> {
    const answer = await this.#send('GET', path)
    this.#csrf = /name="csrf" value="([^"]*)"/.exec(answer.body)?.[1] ?? this.#csrf
    return answer
  }

  /** Sends a form of the page before. */
  post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.#send('POST', path, { csrf: this.#csrf, ...fields })
  }

  /** Sends a form, and loads the page that the answer leads to. */
  async postThen(path: string, fields: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    const answer = await this.post(path, fields)
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${answer.body}`)
    return this.get(this.#pathOf(answer.headers.location ?? ''))
  }

  /** Makes an account, and gives the ppid. */
  async signUp(person: { name: string; email: string; password: string }): Promise<string> {
    await this.get(`${this.#prefix}/sign-up`)
    const page = await this.postThen(`${this.#prefix}/sign-up`, { seen_by: 'public', ...person })
    const ppid = /<code>(p[0-9a-z]{11})<\/code>/.exec(page.body)?.[1]
    if (ppid === undefined) throw new Error(page.body)
    return ppid
  }

  /** Signs in; the page that follows is loaded. */
  async signIn(email: string, password: string): Promise<PageAnswer> {
    await this.get(`${this.#prefix}/sign-in`)
    return this.postThen(`${this.#prefix}/sign-in`, { email, password })
  }

  /** Permits an application what it asks for, which then exchanges its code for tokens. */
  async permit(application: TestApplication, scopes: readonly string[]): Promise<Tokens> {
    const { client_id, redirectUri } = application
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state: 'state',
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
    })
    let answer = await this.#follow(`/api/v1/oauth/authorize?${query}`, redirectUri)
    if (answer.status === 200) {
      const action = /<form class="form" method="post"\s+action="([^"]*)"/.exec(answer.body)?.[1]
      const boxes = scopes.map((scope) => [`permit:${scope}`, 'on'] as const)
      const going = await this.post(action ?? '', Object.fromEntries(boxes))
      const url = /<a href="([^"]*)">continue/.exec(going.body)?.[1]
      if (url === undefined)
        throw new Error(`${action} leads nowhere: ${going.status} ${going.body}`)
      answer = await this.#follow(this.#pathOf(unescapeHtml(url)), redirectUri)
    }
    const { location = '' } = answer.headers
    const code = URL.parse(location)?.searchParams.get('code')
    if (code === null || code === undefined)
      throw new Error(`no code: ${answer.status} ${location} ${answer.body}`)
    return this.#exchange(application, code)
  }

  async #exchange(application: TestApplication, code: string): Promise<Tokens> {
    const { client_id, secret, redirectUri } = application
    const body = JSON.stringify({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id,
      ...(secret !== null && { client_secret: secret }),
      code_verifier: verifier,
    })
    const headers = { host: new URL(this.#origin).host, 'content-type': 'application/json' }
    const options = { method: 'POST', path: '/api/v1/oauth/token', headers }
    const answer = await request({ port: this.#port, ...options }, body)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body) as Tokens
  }

  /** Loads what an address leads to, until a page or the address `end`. */
  async #follow(path: string, end: string): Promise<PageAnswer> {
    let answer = await this.get(path)
    for (let step = 0; step < 10 && answer.status === 303; step += 1) {
      const location = answer.headers.location ?? ''
      if (location.startsWith(end)) break
      answer = await this.get(this.#pathOf(location))
    }
    return answer
  }

  #pathOf(location: string): string {
    const url = new URL(location, this.#origin)
    return url.pathname + url.search
  }

  async #send(
    method: string,
    path: string,
    fields?: Readonly<Record<string, string>>,
  ): Promise<PageAnswer> {
    const cookie = this.cookies
    const isForm = fields !== undefined
    const headers = {
      host: new URL(this.#origin).host,
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      ...(cookie !== '' && { cookie }),
      ...(isForm && { origin: this.#origin, 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const body = isForm ? new URLSearchParams(fields).toString() : undefined
    const answer = await request({ port: this.#port, method, path, headers }, body)
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const at = pair.indexOf('=')
    const isOver = attributes.some((each) => / ?(max-age=0|expires=Thu, 01 Jan 1970)/i.test(each))
    if (isOver) this.#cookies.delete(pair.slice(0, at))
    else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

function request(options: http.RequestOptions, body: string | undefined): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', agent: false, ...options })
    sent.on('error', reject)
    sent.on('response', (response) => {
      text(response).then((read) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read })
      }, reject)
    })
    sent.end(body)
  })
}

function unescapeHtml(value: string): string {
  return value
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
}
