import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  RouteOptions,
} from 'fastify'

/** A mark on what is still answered, and should not be asked for any more. */
export type Deprecation = {
  /** The day since which it is so, and the one on which it ends, if it does: `YYYY-MM-DD`. */
  readonly since: string
  readonly sunset?: string
  /** Where it is told what to use in its place. */
  readonly link: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks the route as deprecated: its replies say so, and so does its description. */
    readonly deprecation?: Deprecation
  }
}

/**
 * Says with every reply, refusals included, that its route or a parameter of its request is
 * deprecated: `Deprecation` (RFC 9745) with the day since which that is so, `Sunset` (RFC 8594)
 * with the day on which it ends, and a `Link` to what is told of it.
 */
export function registerDeprecations(server: FastifyInstance): void {
  const tell: onSendHookHandler = (request, reply, payload, done) => {
    const marks = marksOf(request)
    if (marks.length > 0) announce(reply, marks)
    done(null, payload)
  }
  // Where nothing is marked, replies pay nothing for it.
  server.addHook('onRoute', (route) => {
    if (isMarked(route)) route.onSend = [tell, ...[route.onSend ?? []].flat()]
  })
}

/** Whether replies of a route may say that it, or a parameter of it, is deprecated. */
export function isMarked({ config }: RouteOptions): boolean {
  const { deprecation, parameters = {} } = config ?? {}
  const ofParameters = Object.values(parameters).map((parameter) => parameter.deprecation)
  return [deprecation, ...ofParameters].some((mark) => mark !== undefined)
}

function marksOf({ routeOptions, query }: FastifyRequest): readonly Deprecation[] {
  const { deprecation, parameters = {} } = routeOptions.config
  const given = Object.keys(query ?? {})
  const ofParameters = given.map((name) =>
    Object.hasOwn(parameters, name) ? parameters[name]?.deprecation : undefined,
  )
  return [deprecation, ...ofParameters].filter((mark) => mark !== undefined)
}

/** Of several marks, the first day of each kind counts: until then nothing is amiss. */
function announce(reply: FastifyReply, marks: readonly Deprecation[]): void {
  const since = firstDay(marks.map((mark) => mark.since))
  const sunset = firstDay(marks.flatMap((mark) => mark.sunset ?? []))
  if (since !== undefined) reply.header('deprecation', `@${since.getTime() / 1_000}`)
  if (sunset !== undefined) reply.header('sunset', sunset.toUTCString())
  const links = new Set(marks.flatMap(linksOf))
  const others = [reply.getHeader('link') ?? []].flat().map(String)
  reply.header('link', [...others, ...links].join(', '))
}

function firstDay(days: readonly string[]): Date | undefined {
  const [first] = days.toSorted()
  return first === undefined ? undefined : new Date(`${first}T00:00:00Z`)
}

function linksOf({ link, sunset }: Deprecation): readonly string[] {
  const relations = ['deprecation', ...(sunset === undefined ? [] : ['sunset'])]
  return relations.map((relation) => `<${link}>; rel="${relation}"; type="text/html"`)
}
