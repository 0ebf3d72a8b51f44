import {
  dublinCoreElement,
  dublinCoreNamespace,
  dublinCoreSchema,
} from '#src/formats/dublin_core.ts'
import type { RecordFormat } from '#src/oai/record_format.ts'

/** Dublin Core, which every repository has (OAI-PMH 2.0, section 2.5). */
export const oaiDc: RecordFormat = {
  prefix: 'oai_dc',
  schema: dublinCoreSchema,
  namespace: dublinCoreNamespace,
  metadata: ({ described }) => dublinCoreElement(described),
}
