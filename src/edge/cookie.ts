import type { IncomingHttpHeaders } from 'node:http'

/** The values that cookies of a name have in a request, in their order (RFC 6265 §5.4). */
export function cookieValues({ cookie = '' }: IncomingHttpHeaders, name: string): string[] {
  const prefix = `${name}=`
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
}
