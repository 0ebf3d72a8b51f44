import type { Agent } from '#actors/values/agent.ts'
import { operator } from '#src/identity/store/owner_text.ts'

/** Who acts through the admin socket: the operator, with administrative rights. */
export const operatorAgent: Agent = { ...operator, via: 'cli', admin: true }
