import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue.ts'
import { type Format, formats } from '#src/formats/format_table.ts'
import { sendRepresented } from '#src/http/rendered_reply.ts'
import type { FormatChoice } from '#src/http/representation.ts'
import type { Place, Resolution } from '#src/http/resolution.ts'
import type { Edge } from '#src/http/server.ts'

/** A work whose metadata are there: as the catalogue has it, and where it is shown. */
export type FormattedWork = {
  readonly found: Rendered
  readonly resolution: Resolution
  readonly place: Place
}

/** Sends a work, or what is left of it, in a format. An export has the name of a file. */
export async function sendFormat(
  { render }: Pick<Edge, 'render'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { found, resolution, place, name, style, isExport }: FormattedWork & FormatChoice,
): Promise<FastifyReply> {
  const { mediaTypes, extension }: Format = formats[name]
  const details = name === 'citation' ? `; style=${style}; locale=en-US` : ''
  if (isExport && extension !== undefined) {
    const file = fileName(resolution, place, extension)
    reply.header('content-disposition', `attachment; filename="${file}"`)
  }
  const task = { resolution: found.body, place, format: name, style }
  const { bytes } = await render({ type: 'format', ...task })
  return sendRepresented(request, reply, {
    body: bytes,
    contentType: `${mediaTypes[0]}${details}; charset=utf-8`,
    isGone: resolution.withdrawal !== undefined,
  })
}

/** `ark-12345-k2bcd45g7h3.bib`, with the version in it if the address has it. */
function fileName({ ark, version }: Resolution, { isPinned }: Place, extension: string): string {
  const pinned = isPinned ? `-v${version}` : ''
  return `${ark.replace(/[^0-9A-Za-z]+/g, '-')}${pinned}.${extension}`
}
