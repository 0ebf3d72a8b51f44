import { untilGiven } from '#test/_until.ts'

/** What a harvester has of a record. */
export type Harvested = { readonly datestamp: string; readonly deleted: boolean }

/** Records by ARK, and the time of the first reply, from which the next harvest goes on. */
export type Harvest = {
  readonly records: ReadonlyMap<string, Harvested>
  readonly responseDate: string
  readonly pages: number
  /** What the first page said of the whole list; undefined if there was one page. */
  readonly completeListSize: number | undefined
}

const retryMs = 100

/** Harvests all records, or those from a time on, with a minimal reader of its own. */
export async function harvest(url: string, from?: string): Promise<Harvest> {
  const records = new Map<string, Harvested>()
  const first = `verb=ListRecords&metadataPrefix=oai_dc${from === undefined ? '' : `&from=${from}`}`
  let xml = await ask(url, first)
  const responseDate = between(xml, '<responseDate>', '</responseDate>')
  const size = /completeListSize="(\d+)"/.exec(xml)?.[1]
  let pages = 1
  for (;;) {
    for (const [, status, ark = '', datestamp = ''] of xml.matchAll(headerForm)) {
      records.set(ark, { datestamp, deleted: status !== undefined })
    }
    const token = /<resumptionToken[^>]*>([^<]+)</.exec(xml)?.[1]
    if (token === undefined) break
    xml = await ask(url, `verb=ListRecords&resumptionToken=${token}`)
    pages += 1
  }
  const completeListSize = size === undefined ? undefined : Number(size)
  return { records, responseDate, pages, completeListSize }
}

const headerForm =
  /<header( status="deleted")?><identifier>([^<]*)<\/identifier><datestamp>([^<]*)<\/datestamp>/g

/** The reply to a request; it is repeated while nobody answers, or the answer is 503. */
function ask(url: string, query: string): Promise<string> {
  const attempt = async () => {
    try {
      const response = await fetch(`${url}?${query}`)
      const xml = await response.text()
      if (response.status === 503) return undefined
      if (response.status !== 200) throw new Error(`${query} is answered with ${response.status}`)
      if (!xml.endsWith('</OAI-PMH>\n')) throw new Error('it is cut off')
      return checked(xml)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return undefined
    }
  }
  return untilGiven('a request is answered', attempt, { pauseMs: retryMs })
}

function checked(xml: string): string {
  const fault = /<error code="([^"]*)">/.exec(xml)?.[1]
  if (fault !== undefined && fault !== 'noRecordsMatch') throw new Error(`the answer is ${fault}`)
  return xml
}

function between(text: string, start: string, end: string): string {
  const at = text.indexOf(start) + start.length
  return text.slice(at, text.indexOf(end, at))
}
