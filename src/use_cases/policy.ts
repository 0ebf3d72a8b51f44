/** Where the promise is written that descriptions refer to (`erc-support`). */
export const policyPath = '/policy'
