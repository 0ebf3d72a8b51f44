// @ts-check

import { enableCopyBeside } from '#src/pages/browser/copy_button.js'

enableCopyBeside()
