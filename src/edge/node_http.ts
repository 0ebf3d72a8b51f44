/**
 * Node's HTTP. To import it is to read all that it exports, and what it exports of Node's client of
 * the web is loaded when it is read: 80 ms of every process and thread, most of which never use it.
 */
export const http = process.getBuiltinModule('node:http')
