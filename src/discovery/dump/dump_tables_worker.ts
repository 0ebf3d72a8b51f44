// Writes the tables of a dump in a thread of its own: to pack some thousand rows takes a while.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import type { DumpTableFile } from '#src/discovery/dump/dump_file.ts'
import { type TablesTask, writeTables } from '#src/discovery/dump/dump_tables.ts'

answerOrders<TablesTask, DumpTableFile[]>(writeTables)
