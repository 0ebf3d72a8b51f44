// @ts-check

import { sha256 } from '#src/client/verify/encoding.js'
import { spellHash } from '#src/client/verify/receipt.js'
import { fetchJson, memberOf } from '#src/pages/scripts/check_list.js'

/**
 * @import { FoundVersion } from '#src/client/verify/types.ts'
 * @import { Words } from '#src/pages/scripts/check_list.js'
 */

/**
 * Which registered versions a file is the content of, as this registry says. The file is hashed
 * here, and only its hash is sent.
 * @param {Uint8Array<ArrayBuffer>} content
 * @param {string} name
 * @param {Words} words
 * @returns {Promise<{ text: string, isKnown: boolean, links: Node[] }>}
 */
export async function contentWords(content, name, words) {
  const hash = spellHash(await sha256(content))
  const versions = memberOf(await fetchJson(`/api/v1/content/${hash}`), 'versions')
  if (!Array.isArray(versions) || versions.length === 0) {
    return { text: words('noWork', { name, hash }), isKnown: false, links: [] }
  }
  const { length: count } = versions
  const text = words(count === 1 ? 'oneWork' : 'moreWorks', { name, count })
  return {
    text,
    isKnown: true,
    links: versions.map((/** @type {FoundVersion} */ each) => versionLine(each, words)),
  }
}

/**
 * A line about a version whose content a file is.
 * @param {FoundVersion} found
 * @param {Words} words
 * @returns {HTMLElement}
 */
function versionLine(found, words) {
  const { ark_identifier: ark, version, work_title: title } = found
  const line = document.createElement('span')
  const link = document.createElement('a')
  link.href = `/${ark}/v${version}`
  link.textContent = title ?? ark
  line.append(link, ` ${versionText(found, words)} `)
  return line
}

/**
 * What a registry says of a version that has a content: which version it is, when it was
 * registered, whether there is a newer one, and whether the work was withdrawn, retracted or
 * corrected.
 * @param {FoundVersion} found
 * @param {Words} words
 */
function versionText(found, words) {
  const { version, latest_version: newest, registered_at: at, status, notices = [] } = found
  const day = (found.withdrawn_at ?? '').slice(0, 10)
  const parts = [
    words('foundVersion', { version }),
    at === null ? '' : words('foundOn', { day: at.slice(0, 10) }),
    version === newest ? words('foundNewest') : words('foundNewer', { newest }),
    status === 'withdrawn' ? words('foundWithdrawn', { day }) : '',
    ...new Set(notices.map(({ kind }) => noticeText(kind, words))),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/**
 * @param {string} kind
 * @param {Words} words
 */
function noticeText(kind, words) {
  return kind.startsWith('new_') ? '' : words(`found_${kind}`) || words('found_correction')
}
