// @ts-check

import { enableCopyBeside } from '#src/pages/scripts/copy_button.js'

enableCopyBeside()
