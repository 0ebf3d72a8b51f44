import http from 'node:http'
import { text } from 'node:stream/consumers'

/** A request to an address under another host name, which `fetch` would not send. */
export async function request(
  url: string,
  { host, body }: { readonly host: string; readonly body?: string },
): Promise<{ readonly status: number; readonly body: string }> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    http.request(url, { method, headers: { host } }, resolve).once('error', reject).end(body)
  })
  return { status: response.statusCode ?? 0, body: await text(response) }
}
