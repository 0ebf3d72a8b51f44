import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'

import { parseDecimal } from '#log/tlog/encoding.ts'
import type { Deprecation } from '#src/edge/deprecation.ts'
import { HttpError } from '#src/edge/errors.ts'
import { wordOf } from '#src/edge/reply_schemas.ts'

/** One parameter of a query string: how it is read, and how it is described. */
export type Parameter<T> = {
  /** The value of a text; undefined if it is not what it should be. */
  read(text: string): T | undefined
  /** Completes "`name` must be …". */
  readonly accepts: string
  /**
   * One value of several, for a parameter that may be given more than once; undefined if they are
   * too many.
   */
  join?(values: readonly T[]): T | undefined
  readonly schema: TSchema
  /** Whether the description says that it must be there. */
  readonly required?: boolean
  /** Marks it as one that should not be sent any more. */
  readonly deprecation?: Deprecation
  /** The operation or parameter that this is another spelling of. */
  readonly aliasOf?: string
}

/** The parameters that an address takes, by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters of the route, for its description. */
    readonly parameters?: Parameters
  }
}

/** `true` or `false`. */
export function flagParameter(description: string): Parameter<boolean> {
  return {
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    accepts: 'true or false',
    schema: Type.Boolean({ description, default: false }),
  }
}

/** A whole number within bounds, both included. */
export function integerParameter(
  description: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): Parameter<number> {
  return {
    read(text) {
      const value = parseDecimal(text)
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined
    },
    accepts: `a whole number from ${minimum} to ${maximum}`,
    schema: Type.Integer({ description, minimum, maximum }),
  }
}

/** Text that a pattern matches; `accepts` completes "must be …". */
export function textParameter(
  description: string,
  pattern: RegExp,
  accepts: string,
): Parameter<string> {
  return {
    read: (text) => (pattern.test(text) ? text : undefined),
    accepts,
    schema: Type.String({ description, pattern: pattern.source }),
  }
}

/** One of some words, whose list is called `title` in the description of the API. */
export function wordParameter<const T extends string>(
  title: string,
  words: readonly T[],
): Parameter<T> {
  return {
    read: (text) => words.find((word) => word === text),
    accepts: words.join(' or '),
    schema: wordOf(title, words),
  }
}

/** The values of the parameters that a request has. */
export type Values<P extends Parameters> = {
  readonly [N in keyof P]?: NonNullable<ReturnType<P[N]['read']>>
}

/**
 * Reads the query string of a request. A parameter that is unknown, not what it should be, or given
 * twice though it has one value, is `bad_request`, with its name. `api_key` is left to the
 * authentication.
 */
export function readQuery<P extends Parameters>(
  request: Pick<FastifyRequest, 'query'>,
  known: P,
): Values<P> {
  const { api_key: _, ...given } = request.query as Record<string, string | string[]>
  return readParameters(given, known)
}

/** Refuses any parameter as `readQuery` does, before the handler of a route that takes none. */
export async function refuseQuery(request: FastifyRequest): Promise<void> {
  readQuery(request, {})
}

/**
 * Reads the query string of a page as `readQuery` does, but for parameters that are unknown: those
 * whom a reader comes from add what they count them by.
 */
export function readPageQuery<P extends Parameters>(request: FastifyRequest, known: P): Values<P> {
  const given = Object.entries(request.query as Record<string, string | string[]>)
  const ours = given.filter(([name]) => Object.hasOwn(known, name))
  return readParameters(Object.fromEntries(ours), known)
}

/** Reads parameters as `readQuery` does, from their texts by name. */
export function readParameters<P extends Parameters>(
  given: Readonly<Record<string, string | readonly string[]>>,
  known: P,
): Values<P> {
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (parameter === undefined) throw unknownParameter(name, known)
    if (typeof value !== 'string' && parameter.join === undefined) throw givenTwice(name)
    const read = typeof value === 'string' ? parameter.read(value) : readAll(value, parameter)
    if (read === undefined) throw wrongParameter(name, parameter.accepts)
    values[name] = read
  }
  return values as Values<P>
}

function readAll(texts: readonly string[], parameter: Parameter<unknown>): unknown {
  const values = texts.map((text) => parameter.read(text))
  return values.includes(undefined) ? undefined : parameter.join?.(values)
}

/** What is wrong with a query, which pages say in other words than the message. */
type QueryFault = 'unknown' | 'wrong_value' | 'given_twice' | 'too_many_words'

/** A query parameter that is refused: `bad_request`. */
export class QueryError extends HttpError {
  readonly parameter: string
  readonly fault: QueryFault

  constructor(parameter: string, fault: QueryFault, message: string) {
    super('bad_request', message)
    this.parameter = parameter
    this.fault = fault
  }
}

/** The fault of a parameter that has one value and is given more than once. */
export function givenTwice(name: string): QueryError {
  return new QueryError(name, 'given_twice', `The query parameter ${name} must be given once`)
}

/** The fault of a parameter of another value than one that is `right`. */
export function wrongParameter(name: string, right: string): QueryError {
  return new QueryError(name, 'wrong_value', `The query parameter ${name} must be ${right}`)
}

function unknownParameter(name: string, known: Parameters): QueryError {
  const names = Object.keys(known)
  const list = names.length === 0 ? 'this address takes none' : `known are ${names.join(', ')}`
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name
  const message = `Unknown query parameter ${JSON.stringify(shown)}: ${list}`
  return new QueryError(name, 'unknown', message)
}
