import { setTimeout as sleep } from 'node:timers/promises'

/** JSON of a reply, taken as it is: a member that is not there fails the row that looks for it. */
export type Json = ReturnType<typeof JSON.parse>

/** A reply, with the request that it answers in words. */
export type Reply = {
  readonly asked: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body if it was JSON, else an empty object. */
  readonly body: Json
}

/** A request beside its method and address. */
export type Sent = {
  /** An API key or an access token, as a bearer. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  /** Whether a refusal for a limit is the answer; otherwise it is waited for, as it asks. */
  readonly limited?: boolean
}

/** How often a request is sent again that was refused for a limit. */
const retriesMax = 3

/** Sends `GET https://…`, as any program would, without following where it is sent on to. */
export async function send(request: string, sent: Sent = {}): Promise<Reply> {
  const at = request.indexOf(' ')
  const [method, url] = [request.slice(0, at), request.slice(at + 1)]
  const { key, body, headers, limited = false } = sent
  for (let tried = 0; ; tried += 1) {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status === 429 && !limited && tried < retriesMax && waitSeconds <= 60) {
      await sleep(waitSeconds * 1_000)
      continue
    }
    return {
      asked: `${method} ${new URL(url).pathname}`,
      status: response.status,
      headers: response.headers,
      text,
      body: parse(text),
    }
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
