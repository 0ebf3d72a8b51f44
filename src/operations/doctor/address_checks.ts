import dns from 'node:dns/promises'

import type { Config } from '#config/schema.ts'
import { bad, type Check, good, type Verdict, warning } from '#src/operations/doctor/finding.ts'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'

/** How long an address may take to answer, and how long its answer may be. */
const answerMs = 10_000
const keyListBytesMax = 8_000_000

/** How far two clocks may be apart: statements carry the time of this one. */
const apartMsMax = 30_000

type AddressConfig = Pick<Config, 'BASE_URL' | 'TRUST_PROXY' | 'HOST'>

/**
 * What is looked at from outside: whether the public address leads here, to the log of `vkey`, by
 * way of a proxy that is known, and with a clock like this one.
 */
export function addressChecks(
  config: AddressConfig,
  vkey: string | undefined,
  systemMs: () => number,
): readonly Check[] {
  return [
    { name: 'address', look: () => lookAtAddress(config, vkey, systemMs) },
    { name: 'proxy', look: async () => lookAtProxy(config) },
  ]
}

async function lookAtAddress(
  { BASE_URL: baseUrl }: AddressConfig,
  vkey: string | undefined,
  systemMs: () => number,
): Promise<readonly Verdict[]> {
  if (baseUrl === undefined) {
    return [
      warning(
        'BASE_URL is not set, so that links and the name of the log are those of this machine ' +
          'alone. Set it to the public address before anything is registered in earnest.',
      ),
    ]
  }
  const { hostname } = new URL(baseUrl)
  const resolved = await dns.lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined)
  if (resolved === undefined) {
    return [bad(`${hostname} has no address in the DNS: register it, or correct BASE_URL.`)]
  }
  const url = `${baseUrl.replace(/\/$/, '')}/.well-known/svc-keys.json`
  const askedMs = systemMs()
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).catch((error: unknown) => error as Error)
  if (response instanceof Error) return [unreachable(baseUrl, response)]
  const skew = lookAtSkew(response, askedMs, systemMs())
  if (response.status !== 200) {
    await response.body?.cancel()
    const advice = 'Start the registry, or mend what stands before it.'
    return [bad(`${url} answers ${response.status}. ${advice}`), ...skew]
  }
  return [await judgeKeys(url, await readText(response), vkey), ...skew]
}

function unreachable(baseUrl: string, { message, cause }: Error): Verdict {
  const why = cause instanceof Error ? cause.message : message
  return bad(
    `${baseUrl} cannot be reached from here (${why}): start the registry and what stands before ` +
      'it, and let the firewall pass it. If only this machine cannot reach it, look from another.',
  )
}

async function readText(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > keyListBytesMax) throw new Error('The list of keys does not end.')
  }
  return text
}

async function judgeKeys(url: string, text: string, vkey: string | undefined): Promise<Verdict> {
  let answered: string
  try {
    answered = (await parseKeyList(text)).live.vkey
  } catch (error) {
    return bad(`${url} is no list of keys of a registry (${(error as Error).message}).`)
  }
  if (vkey === undefined || answered === vkey) return good(`${url} leads to this registry.`)
  return bad(
    `${url} leads to another registry, whose log is ${answered}. Correct BASE_URL, or what ` +
      'stands before it: nothing that is registered here would be found there.',
  )
}

function lookAtSkew(response: Response, askedMs: number, answeredMs: number): readonly Verdict[] {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return []
  // A header has whole seconds, cut off.
  const apartMs = Math.max(askedMs - 1_000 - serverMs, serverMs - answeredMs, 0)
  if (apartMs <= apartMsMax) return []
  const seconds = Math.round(apartMs / 1_000)
  return [
    bad(`This clock and that of the public address are ${seconds} s apart. Have both kept by NTP.`),
  ]
}

function lookAtProxy({ BASE_URL: baseUrl, TRUST_PROXY: trusted }: AddressConfig): Verdict {
  const isBehindOne = baseUrl?.startsWith('https:') ?? false
  if (!isBehindOne) return good('The address is served without TLS: no proxy need stand before it.')
  if (trusted.length > 0) return good(`What ${trusted.join(', ')} says of its clients is believed.`)
  return bad(
    'BASE_URL is https, so that a proxy stands before the registry, but TRUST_PROXY names none: ' +
      'all clients count as one and share one limit. Set it to the address of the proxy.',
  )
}
