// @ts-check

/** Something is not as it must be; the message says what. */
export class Failure extends Error {}

/** Something cannot be found out here; the message says why. */
export class NotChecked extends Error {}
