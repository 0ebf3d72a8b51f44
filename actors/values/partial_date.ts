const partialDateForm = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/

/**
 * Whether a text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD` with a month and a day that the Gregorian
 * calendar has; years 0001 to 9999.
 */
export function isPartialDate(text: string): boolean {
  const [, year, month = '01', day = '01'] = partialDateForm.exec(text) ?? []
  if (year === undefined || year === '0000') return false
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse takes the 31st of every month and counts on into the next.
  return !Number.isNaN(time) && new Date(time).getUTCDate() === Number(day)
}
