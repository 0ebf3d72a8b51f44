import type { FastifyReply, FastifyRequest } from 'fastify'

import type { DescribedWork } from '#src/formats/described_work.ts'
import { type Format, formats } from '#src/formats/format_table.ts'
import { sendRepresented } from '#src/http/rendered_reply.ts'
import type { FormatChoice } from '#src/http/representation.ts'

/** Sends a work, or what is left of it, in a format. An export has the name of a file. */
export function sendFormat(
  request: FastifyRequest,
  reply: FastifyReply,
  work: DescribedWork,
  { name, style, isExport }: FormatChoice,
): FastifyReply {
  const { mediaTypes, extension, render }: Format = formats[name]
  const details = name === 'citation' ? `; style=${style}; locale=en-US` : ''
  if (isExport && extension !== undefined) {
    reply.header('content-disposition', `attachment; filename="${fileName(work, extension)}"`)
  }
  return sendRepresented(request, reply, {
    text: render(work, style),
    contentType: `${mediaTypes[0]}${details}; charset=utf-8`,
    isGone: work.withdrawal !== undefined,
  })
}

/** `ark-12345-k2bcd45g7h3.bib`, with the version in it if the address has it. */
function fileName({ ark, url, version }: DescribedWork, extension: string): string {
  const pinned = url.endsWith(`/v${version}`) ? `-v${version}` : ''
  return `${ark.replace(/[^0-9A-Za-z]+/g, '-')}${pinned}.${extension}`
}
