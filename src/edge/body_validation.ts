import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifyInstance } from 'fastify'

const buildCompiler = AjvCompiler()

/** A body is what it says it is; every fault of it is told at once. */
const customOptions = { coerceTypes: false, removeAdditional: false, allErrors: true } as const

/**
 * Lets a server check bodies by the schemas of its routes. A schema is compiled for the first body
 * that it is to check: a server has many, and most processes are sent few kinds of body, or none.
 */
export function registerBodyValidation(server: FastifyInstance): void {
  server.setValidatorCompiler((route) => {
    let validate: ReturnType<ReturnType<typeof buildCompiler>> | undefined
    return (value: unknown) => {
      // One compiler is kept for the same options.
      validate ??= buildCompiler({}, { customOptions })(route)
      return validate(value) === true || { error: validate.errors ?? [] }
    }
  })
}
