import { hash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'

import { cosignatureSigner } from '#log/tlog/cosignature.ts'
import { formatSignature } from '#log/tlog/note.ts'
import { testWitness, type TestWitness } from '#test/log/_witnesses.ts'

/** What was submitted, as it lies in the body. */
export type Submitted = {
  readonly old: number
  readonly proof: readonly string[]
  readonly checkpoint: string
  /** The text of the checkpoint that a witness signs. */
  readonly text: string
  readonly treeSize: number
}

/**
 * What a witness answers: a text with 200, a size with 409, a status with a text and perhaps
 * headers, or what a function does with the reply.
 */
export type StrangeAnswer =
  | string
  | { readonly size: number }
  | readonly [status: number, text: string, headers?: Readonly<Record<string, string>>]
  | ((reply: http.ServerResponse) => void)

/** A witness that answers whatever a test wants, over HTTP. */
export type StrangeWitness = TestWitness & {
  readonly url: string
  readonly seen: Submitted[]
  /** What it shows as the last checkpoint of the log: nothing, unless a test says so. */
  shown: string | undefined
  /** How often it was asked for that. */
  looks: number
  /** Its signature line for the text of a checkpoint. */
  line(text: string, timestamp?: number): string
}

/** Serves a witness until the test ends; `number` is that of its key. */
export async function strangeWitness(
  t: ExecutionContext,
  number: number,
  answer: (submitted: Submitted, witness: StrangeWitness) => StrangeAnswer | Promise<StrangeAnswer>,
): Promise<StrangeWitness> {
  const own = testWitness(number)
  const respond = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (request.method === 'GET') {
      witness.looks += 1
      const isAsked = request.url === `/${hash('sha256', 'registry.example/log')}/checkpoint`
      const shown = isAsked ? witness.shown : undefined
      response.writeHead(shown === undefined ? 404 : 200).end(shown)
      return
    }
    const submitted = readSubmitted(await text(request))
    witness.seen.push(submitted)
    const given = await answer(submitted, witness)
    if (typeof given === 'string') response.end(given)
    else if (typeof given === 'function') given(response)
    else if ('size' in given) {
      response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${given.size}\n`)
    } else response.writeHead(given[0], given[2]).end(given[1])
  }
  const server = http.createServer((request, response) => void respond(request, response))
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const witness: StrangeWitness = {
    ...own,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    shown: undefined,
    looks: 0,
    line(signed, timestamp = Math.floor(Date.now() / 1_000)) {
      const keyName = own.vkey.slice(0, own.vkey.indexOf('+'))
      const signer = cosignatureSigner(keyName, own.key, timestamp)
      return formatSignature({ ...signer, bytes: signer.sign(Buffer.from(signed)) })
    },
  }
  return witness
}

/**
 * Serves a witness that does what it should, and cosigns what continues its last checkpoint at the
 * time of day, unless `instead` gives another answer.
 */
export function honestWitness(
  t: ExecutionContext,
  number: number,
  instead?: (submitted: Submitted, witness: StrangeWitness) => StrangeAnswer | undefined,
): Promise<StrangeWitness> {
  let size = 0
  return strangeWitness(t, number, (submitted, witness) => {
    const { old, treeSize, checkpoint } = submitted
    const other = instead?.(submitted, witness)
    if (other !== undefined) return other
    if (old !== size) return { size }
    size = treeSize
    witness.shown = checkpoint
    return witness.line(submitted.text, Math.floor(Date.now() / 1_000))
  })
}

function readSubmitted(body: string): Submitted {
  const end = body.indexOf('\n\n')
  const [first = '', ...proof] = body.slice(0, end).split('\n')
  const checkpoint = body.slice(end + 2)
  const signed = checkpoint.slice(0, checkpoint.lastIndexOf('\n\n') + 1)
  const treeSize = Number(signed.split('\n')[1])
  return { old: Number(first.replace('old ', '')), proof, checkpoint, text: signed, treeSize }
}
