import type { Section } from '#test/interface/_row.ts'
import { adapterSettings } from '#test/interface/adapter_settings.ts'
import { apiKeys } from '#test/interface/api_keys.ts'
import { createdWork } from '#test/interface/created_work.ts'
import { dublinCore } from '#test/interface/dublin_core.ts'
import { errors } from '#test/interface/errors.ts'
import { events } from '#test/interface/events.ts'
import { fixity } from '#test/interface/fixity.ts'
import { harvesting } from '#test/interface/harvesting.ts'
import { interfaceVersions } from '#test/interface/interface_versions.ts'
import { keyScopes } from '#test/interface/key_scopes.ts'
import { rateLimits } from '#test/interface/limits.ts'
import { newWork } from '#test/interface/new_work.ts'
import { oauthScopes } from '#test/interface/oauth_scopes.ts'
import { personItems } from '#test/interface/person_items.ts'
import { proofs } from '#test/interface/proofs.ts'
import { receipt } from '#test/interface/receipt.ts'
import { records } from '#test/interface/records.ts'
import { service } from '#test/interface/service.ts'
import { signIn } from '#test/interface/sign_in.ts'
import { v1Endpoints } from '#test/interface/v1_endpoints.ts'
import { verification } from '#test/interface/verification.ts'
import { workUpdate } from '#test/interface/work_update.ts'
import { writeBackEndpoints } from '#test/interface/write_back_endpoints.ts'
import { writeBackPermission } from '#test/interface/write_back_permission.ts'

/** All sections, in the order of the text; their places are the first part of the rows' ids. */
export const sections: readonly Section[] = [
  service,
  newWork,
  createdWork,
  workUpdate,
  personItems,
  receipt,
  verification,
  proofs,
  records,
  fixity,
  v1Endpoints,
  writeBackEndpoints,
  harvesting,
  adapterSettings,
  dublinCore,
  apiKeys,
  keyScopes,
  writeBackPermission,
  oauthScopes,
  signIn,
  events,
  errors,
  rateLimits,
  interfaceVersions,
]
