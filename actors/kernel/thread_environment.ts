/**
 * The environment of a thread: nothing of the process's but where compiled modules are kept, which
 * Node takes from there. No secret of the process can leak from it.
 */
export function threadEnvironment(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE: folder } = process.env
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}
