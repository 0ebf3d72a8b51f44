// @ts-check

import { enableCopyBeside } from '#src/web/browser/copy_button.js'

enableCopyBeside()
