import { defineAccount } from '#src/cli/account.ts'
import { defineApplication } from '#src/cli/application.ts'
import { defineAudit } from '#src/cli/audit.ts'
import { defineFixity } from '#src/cli/fixity.ts'
import { defineImport } from '#src/cli/import.ts'
import { defineKey } from '#src/cli/key.ts'
import { defineMonitor } from '#src/cli/monitor.ts'
import { defineOai } from '#src/cli/oai.ts'
import { defineOrganization } from '#src/cli/organization.ts'
import { createProgram, runProgram } from '#src/cli/program.ts'
import { defineReceiptKey } from '#src/cli/receipt_key.ts'
import { defineReindex } from '#src/cli/reindex.ts'
import { defineServe } from '#src/cli/serve.ts'
import { defineTokenKey } from '#src/cli/token_key.ts'
import { defineVerify } from '#src/cli/verify.ts'
import { defineWork } from '#src/cli/work.ts'

const program = createProgram()
defineServe(program)
defineKey(program)
defineOrganization(program)
defineApplication(program)
defineAccount(program)
defineReceiptKey(program)
defineTokenKey(program)
defineFixity(program)
defineReindex(program)
defineImport(program)
defineVerify(program)
defineWork(program)
defineAudit(program)
defineMonitor(program)
defineOai(program)

// The code is set, not passed to process.exit: what was printed must reach a pipe first, and a
// server goes on after its command.
process.exitCode = await runProgram(program, process.argv)
