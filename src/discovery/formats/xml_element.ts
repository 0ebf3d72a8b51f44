/** What stands in an element: elements and text. `undefined` is nothing, to leave things out. */
export type XmlNode = XmlElement | string | undefined

/** An element; attributes without a value are left out. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: readonly XmlNode[]
}
