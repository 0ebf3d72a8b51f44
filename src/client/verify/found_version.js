// @ts-check

/**
 * @import { FoundNotice, FoundVersion } from '#src/client/verify/types.ts'
 */

/** @type {Readonly<Record<string, string>>} */
const noticeWords = {
  retraction: 'retracted',
  partial_retraction: 'partly retracted',
  removal: 'removed',
  withdrawal: 'withdrawn by its publisher',
  expression_of_concern: 'with an expression of concern',
}

/**
 * What a registry says of a version that has a content, as one line without a full stop: which
 * version it is, when it was registered, whether there is a newer one, and whether the work was
 * withdrawn, retracted or corrected.
 * @param {FoundVersion} found
 * @returns {string}
 */
export function foundVersionText(found) {
  const { version, latest_version: newest, registered_at: at, status, notices = [] } = found
  const day = at === null ? '' : `, registered on ${at.slice(0, 10)}`
  const parts = [
    `version ${version}${day}`,
    version === newest ? 'the newest version' : `version ${newest} is the newest`,
    status === 'withdrawn' ? withdrawalText(found) : '',
    ...new Set(notices.map(noticeText)),
  ]
  return parts.filter((part) => part !== '').join('; ')
}

/** @param {FoundVersion} found */
function withdrawalText({ withdrawn_at: at = '', withdrawal_reason: reason = 'other' }) {
  return `withdrawn on ${at.slice(0, 10)} (${reason.replaceAll('_', ' ')})`
}

/** @param {FoundNotice} notice */
function noticeText({ kind, date }) {
  const words = noticeWords[kind] ?? (kind.startsWith('new_') ? '' : 'corrected')
  return words === '' || date === undefined ? words : `${words} on ${date}`
}
