// Serves content on several loopback addresses, in a process of its own. Argument: how many hosts.
// Answers each message with one.

import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { answersBetweenRests, type HostState, reply } from '#test/scenario/_content_replies.ts'

/**
 * Asks what was seen so far, to be told once all hosts together have seen so many requests, or sets
 * the revision of all content that is revised.
 */
export type ContentOrder =
  | { readonly type: 'hosts' }
  | { readonly type: 'requested'; readonly requests: number }
  | { readonly type: 'count' }
  | { readonly type: 'count_paths' }
  | { readonly type: 'revise'; readonly revision: number }

/** What a host has seen: requests, how many of them at a time, and how many during a rest. */
export type HostCount = {
  readonly requests: number
  readonly concurrencySeen: number
  readonly early: number
}

type Host = HostState & { hostPort: string; received: number; open: number; openSeen: number }

/** How long a host thinks: one that answered at once would hardly have two requests at a time. */
const thoughtMs = 20

let revision = 0
let requestsSeen = 0
let awaited: { readonly requests: number; resolve(): void } | undefined
const hosts = await Promise.all(Array.from({ length: Number(process.argv[2]) }, openHost))

async function openHost(_: unknown, nth: number): Promise<Host> {
  const address = `127.0.1.${nth + 1}`
  const host: Host = {
    hostPort: '',
    requests: new Map(),
    answersLeft: answersBetweenRests,
    restUntilMs: 0,
    early: 0,
    received: 0,
    open: 0,
    openSeen: 0,
  }
  const server = http.createServer((request, response) => {
    countOpen(host, response)
    setTimeout(() => reply(request, response, { host, revision }), thoughtMs)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  host.hostPort = `${address}:${(server.address() as AddressInfo).port}`
  return host
}

/** A request is open until its reply was written whole, or its client has hung up. */
function countOpen(host: Host, response: ServerResponse): void {
  host.received += 1
  requestsSeen += 1
  if (awaited !== undefined && requestsSeen >= awaited.requests) awaited.resolve()
  host.open += 1
  host.openSeen = Math.max(host.openSeen, host.open)
  let isOpen = true
  const onEnd = () => {
    if (isOpen) host.open -= 1
    isOpen = false
  }
  response.on('finish', onEnd).on('close', onEnd)
  response.req.on('aborted', onEnd)
}

async function answer(order: ContentOrder): Promise<unknown> {
  switch (order.type) {
    case 'hosts':
      return hosts.map(({ hostPort }) => hostPort)
    case 'requested': {
      const { requests } = order
      if (requestsSeen < requests) {
        await new Promise<void>((resolve) => (awaited = { requests, resolve }))
      }
      return {}
    }
    case 'count':
      return hosts.map(({ received, openSeen, early }) => {
        return { requests: received, concurrencySeen: openSeen, early }
      })
    case 'count_paths':
      return hosts.map(({ requests }) => Object.fromEntries(requests))
    case 'revise':
      revision = order.revision
      return {}
  }
}

process.on('message', (order: ContentOrder) => {
  void answer(order).then((said) => process.send?.(said))
})
process.once('disconnect', () => process.exit())
