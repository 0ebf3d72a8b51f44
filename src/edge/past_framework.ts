import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Answers a request, or says that it has done nothing with it. */
export type AnswerPast = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Has `answer` look at each request of a server before its framework does, which gets what is not
 * answered. During a shutdown nothing goes past it, so that it ends each connection with its reply.
 */
export function answerPastFramework(server: FastifyInstance, answer: AnswerPast): void {
  const { server: listener } = server
  const others = listener.listeners('request')
  listener.removeAllListeners('request')
  listener.on('request', (request, response) => {
    if (listener.listening && answer(request, response)) return
    for (const other of others) other.call(listener, request, response)
  })
}
