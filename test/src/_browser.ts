// A browser without scripts: cookies with their paths, redirects, forms, and pages that send on.

/** A reply as the browser sees it. */
export type Seen = {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

type Cookie = { readonly name: string; readonly value: string; readonly path: string }

const redirectsMax = 20

/** Keeps the cookies of one host. */
export class TestBrowser {
  readonly #origin: string
  #cookies: readonly Cookie[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  /** One request, whose redirect is not followed. */
  async request(url: string, init: RequestInit = {}): Promise<Seen> {
    const target = new URL(url, this.#origin)
    const headers = new Headers(init.headers)
    if (!headers.has('accept')) headers.set('accept', 'text/html')
    const cookies = this.#cookies.filter(({ path }) => target.pathname.startsWith(path))
    if (cookies.length > 0) {
      headers.set('cookie', cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
    }
    const reply = await fetch(target, { ...init, headers, redirect: 'manual' })
    for (const text of reply.headers.getSetCookie()) this.#keep(text)
    const body = await reply.text()
    return { url: target.href, status: reply.status, headers: reply.headers, body }
  }

  /** Goes to an address, and on as redirects and pages say, until it stands or leaves the host. */
  async go(url: string): Promise<Seen> {
    let seen = await this.request(url)
    for (let count = 0; count < redirectsMax; count += 1) {
      const next = nextOf(seen)
      if (next === undefined) return seen
      if (new URL(next).origin !== this.#origin) return { ...seen, url: next, status: 0, body: '' }
      seen = await this.request(next)
    }
    throw new Error(`${url} leads in a circle`)
  }

  /** Fills in a form of a page and sends it, then goes on; fields of undefined are left out. */
  async submit(
    page: Seen,
    fields: Readonly<Record<string, string | undefined>>,
    action?: string,
  ): Promise<Seen> {
    const seen = await this.send(page, fields, action)
    const next = nextOf(seen)
    if (next === undefined) return seen
    if (new URL(next).origin !== this.#origin) return { ...seen, url: next, status: 0, body: '' }
    return this.go(next)
  }

  /** Fills in a form of a page and sends it; what comes is not followed. */
  send(
    page: Seen,
    fields: Readonly<Record<string, string | undefined>>,
    action?: string,
  ): Promise<Seen> {
    const form = formOf(page, action)
    const values = new Map([...form.values, ...Object.entries(fields)])
    const body = new URLSearchParams()
    for (const [name, value] of values) if (value !== undefined) body.append(name, value)
    const origin = new URL(page.url).origin
    return this.request(form.action, { method: 'POST', body, headers: { origin } })
  }

  /** The value of a cookie. */
  cookie(wanted: string): string | undefined {
    return this.#cookies.find(({ name }) => name === wanted)?.value
  }

  cookieNames(): readonly string[] {
    return this.#cookies.map(({ name }) => name)
  }

  /** Keeps a cookie that nobody has sent. */
  plant(name: string, value: string): void {
    this.#keep(`${name}=${value}`)
  }

  #keep(text: string): void {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    const named = (key: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = named('path') ?? '/'
    const isOver = named('max-age') === '0' || Date.parse(named('expires') ?? '') < Date.now()
    const others = this.#cookies.filter((each) => each.name !== name || each.path !== path)
    this.#cookies = isOver ? others : [...others, { name, value, path }]
  }
}

/** Where a reply sends the browser by itself, as an absolute address. */
function nextOf({ url, status, headers, body }: Seen): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  const refresh = /<meta http-equiv="refresh" content="0;url(?:=|&#61;)([^"]*)"/.exec(body)?.[1]
  const next = location ?? (refresh === undefined ? null : unescaped(refresh))
  return next === null ? undefined : new URL(next, url).href
}

/** The fields of a form as the page has them: the one with this action, else the last one. */
function formOf({ url, body }: Seen, action?: string) {
  // The footer has the form by which readers choose their language.
  const [content = ''] = body.split('<footer')
  const forms = [...content.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, tag = '', inner = '']) => {
      return { action: new URL(attribute(tag, 'action') ?? '', url).href, inner }
    },
  )
  const form = forms.findLast((each) => action === undefined || each.action.endsWith(action))
  if (form === undefined) throw new Error(`${url} has no such form: ${body.slice(0, 2_000)}`)
  const inputs = [...form.inner.matchAll(/<(?:input|textarea)\b([^>]*)>/g)].map(
    ([, tag = '']) => tag,
  )
  const values = inputs
    .filter((tag) => attribute(tag, 'type') !== 'checkbox' || /\bchecked\b/.test(tag))
    .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const)
  return { action: form.action, values }
}

function attribute(tag: string, name: string): string | undefined {
  const text = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return text === undefined ? undefined : unescaped(text)
}

/** Text as it is shown, of text as it stands in HTML. */
export function unescaped(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
