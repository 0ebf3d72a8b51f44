import { html } from 'ghtml'

/** Where browsers learn how to search the registry, and the type of that document. */
export const searchDescriptionPath = '/opensearch.xml'
export const searchDescriptionType = 'application/opensearchdescription+xml'

/** How browsers search the registry (OpenSearch 1.1). `baseUrl` has no slash at its end. */
export function searchDescription(baseUrl: string): string {
  return html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Arklog</ShortName>
<Description>Scholarly works, people and organizations</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${baseUrl}/search?q={searchTerms}"/>
</OpenSearchDescription>
`
}
