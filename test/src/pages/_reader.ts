// What a reader's browser gets of a registry that listens.

import type { Answer, ServedRegistry } from '#test/src/_served_registry.ts'

/** A page as it came, and its text with the character references read. */
export type ReadPage = Answer & { readonly read: string }

/** Opens a page as a browser does, which asks for HTML. */
export async function openPage(
  { call }: Pick<ServedRegistry, 'call'>,
  path: string,
  accept = 'text/html',
): Promise<ReadPage> {
  const answer = await call(path, { headers: [['accept', accept]] })
  const read = answer.body.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
  return { ...answer, read }
}
