// @ts-check

import { sha256 } from '#src/client/verify/encoding.js'
import { foundVersionText } from '#src/client/verify/found_version.js'
import { spellHash } from '#src/client/verify/receipt.js'
import { fetchJson, memberOf } from '#src/pages/scripts/check_list.js'

/**
 * @import { FoundVersion } from '#src/client/verify/types.ts'
 */

/**
 * Which registered versions a file is the content of, as this registry says. The file is hashed
 * here, and only its hash is sent.
 * @param {Uint8Array<ArrayBuffer>} content
 * @param {string} name
 * @returns {Promise<{ text: string, isKnown: boolean, links: Node[] }>}
 */
export async function contentWords(content, name) {
  const hash = spellHash(await sha256(content))
  const versions = memberOf(await fetchJson(`/api/v1/content/${hash}`), 'versions')
  if (!Array.isArray(versions) || versions.length === 0) {
    const text = `No work here is registered with the file ${name}. Its hash is ${hash}.`
    return { text, isKnown: false, links: [] }
  }
  const works =
    versions.length === 1 ? 'a registered work' : `${versions.length} registered versions`
  const text = `${name} is the file of ${works}, as this registry says.`
  return { text, isKnown: true, links: versions.map(versionLine) }
}

/**
 * A line about a version whose content a file is.
 * @param {FoundVersion} found
 * @returns {HTMLElement}
 */
function versionLine(found) {
  const { ark_identifier: ark, version, work_title: title } = found
  const line = document.createElement('span')
  const link = document.createElement('a')
  link.href = `/${ark}/v${version}`
  link.textContent = title ?? ark
  line.append(link, `: ${foundVersionText(found)}. `)
  return line
}
