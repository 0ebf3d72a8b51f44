import { metadataShape, newVersionShape } from '#actors/metadata.ts'
import { recordSchema } from '#actors/record.ts'

/**
 * The JSON schemas of works, made from the field table for the OpenAPI description. They say less
 * than the checks (no check digits, no calendar): whatever the checks accept fits them.
 */

/** The body of a creation. */
export const newWorkSchema = recordSchema(metadataShape, {
  description: 'A work to register. `work_url` or `existing_doi` is required.',
  nullable: true,
})

/** The body of an update: absent fields stay, null removes. */
export const workPatchSchema = recordSchema(metadataShape, {
  description: 'The fields to change; null removes one.',
  nullable: true,
  partial: true,
})

/** The body of a further version. */
export const newVersionSchema = recordSchema(newVersionShape, {
  description: 'The fields to change; null removes one.',
  nullable: true,
  partial: true,
})

/** Metadata as it is stored and returned. */
export const metadataSchema = recordSchema(metadataShape, {
  description: 'What describes one version of a work; absent fields are left out.',
})
