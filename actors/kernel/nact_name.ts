const plainName = /^[\w/-]*$/

/**
 * A name in the characters that nact allows in one, which percent signs, slashes and tildes are
 * not; different names stay different. The names of works are plain, and encoding one would take as
 * long as all else about its actor's start.
 */
export function nactName(name: string): string {
  if (plainName.test(name)) return name.replaceAll('/', '$2F')
  return encodeURIComponent(name).replaceAll('%', '$').replaceAll('~', '$7E')
}
