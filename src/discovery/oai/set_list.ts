import { element } from '#src/discovery/formats/xml.ts'
import type { XmlElement } from '#src/discovery/formats/xml_element.ts'
import { badToken, type OaiFaults } from '#src/discovery/oai/oai_fault.ts'
import { type ListOptions, tokenElement } from '#src/discovery/oai/record_list.ts'
import type { HarvestSet } from '#src/discovery/oai/record_source.ts'
import type { ResumptionTokens, SetState } from '#src/discovery/oai/resumption_token.ts'
import { allSpec, formatSetSpec } from '#src/discovery/oai/set_spec.ts'

/** The list of the sets: that of all works, then one for each organization. */
export class SetLists {
  readonly #options: ListOptions
  readonly #tokens: ResumptionTokens

  constructor(options: ListOptions, tokens: ResumptionTokens) {
    this.#options = options
    this.#tokens = tokens
  }

  async begin(nowSeconds: number): Promise<XmlElement> {
    const all = setElement(allSpec, 'All works, by organization')
    const found = await this.#read(undefined)
    return this.#page([all], found, { last: '', cursor: 0 }, nowSeconds)
  }

  async resume({ last, cursor }: SetState, nowSeconds: number): Promise<XmlElement | OaiFaults> {
    const found = await this.#read(last)
    if (found.length === 0) return badToken()
    return this.#page([], found, { last, cursor }, nowSeconds)
  }

  /** Organizations after one, and one more than fits on a page. */
  async #read(after: string | undefined): Promise<readonly HarvestSet[]> {
    const { source, recordsMax, organization } = this.#options
    if (organization === undefined) {
      return source.sets({ ...(after !== undefined && { after }), limit: recordsMax + 1 })
    }
    const name = source.setName(organization)
    return name === undefined ? [] : [{ slug: organization, name }]
  }

  #page(
    first: readonly XmlElement[],
    found: readonly HarvestSet[],
    { cursor }: Omit<SetState, 'verb'>,
    nowSeconds: number,
  ): XmlElement {
    const room = this.#options.recordsMax - first.length
    const shown = found.slice(0, room)
    const sets = [...first, ...shown.map(({ slug, name }) => setElement(formatSetSpec(slug), name))]
    const last = shown.at(-1)?.slug
    if (shown.length === found.length) {
      return element('ListSets', {}, ...sets, cursor > 0 ? tokenElement('', { cursor }) : undefined)
    }
    const next = { verb: 'ListSets', last: last ?? '', cursor: cursor + sets.length } as const
    const token = this.#tokens.issue(next, nowSeconds)
    return element('ListSets', {}, ...sets, tokenElement(token, { cursor }))
  }
}

function setElement(spec: string, name: string): XmlElement {
  return element('set', {}, element('setSpec', {}, spec), element('setName', {}, name))
}
