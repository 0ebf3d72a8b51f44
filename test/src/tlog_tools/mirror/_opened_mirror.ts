import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ExecutionContext } from 'ava'

import { noteVerifier } from '#log/tlog/ed25519.ts'
import { auditCopy, type CopyAudit } from '#src/tlog_tools/mirror/copy_audit.ts'
import { CopyFolder, LogCopy } from '#src/tlog_tools/mirror/copy_folder.ts'
import { httpLogSource } from '#src/tlog_tools/monitor/log_source.ts'
import type { MonitorRound, MonitorSettings } from '#src/tlog_tools/monitor/monitor.ts'
import { openMonitor } from '#test/src/tlog_tools/monitor/_opened_monitor.ts'
import { type ServedLog, vkey } from '#test/src/tlog_tools/monitor/_served_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** A mirror of one log: what it shows, and the files of its copy. */
export type OpenedMirror = {
  readonly folder: CopyFolder
  /** Where the state of the monitor lies. */
  readonly state: string
  /** Sizes of the checkpoints that were shown, in their order. */
  readonly shown: number[]
  look(): Promise<MonitorRound>
  /** As after the process ended. */
  reopen(): Promise<void>
  /** All files by path. */
  files(): Promise<Map<string, Buffer>>
  replace(file: string, bytes: Uint8Array): Promise<void>
  remove(file: string): Promise<void>
  audit(): Promise<CopyAudit>
}

/** Opens a mirror on folders that are removed after the test. */
export async function openMirror(
  t: ExecutionContext,
  log: ServedLog,
  quorum?: MonitorSettings['quorum'],
): Promise<OpenedMirror> {
  const root = await makeTempDir(t)
  const folder = new CopyFolder(root)
  const verifier = noteVerifier(vkey)
  const shown: number[] = []
  const published = (treeSize: number) => void shown.push(treeSize)
  const copy = new LogCopy({ folder, verifier, isWitnessed: quorum !== undefined, published })
  const state = await makeTempDir(t)
  const { signal } = new AbortController()
  const monitor = await openMonitor(t, log, {
    followed: {
      source: httpLogSource(log.url, signal),
      vkey,
      verifier,
      folder: state,
      staleAfterMs: Number.MAX_SAFE_INTEGER,
      onProgress: () => undefined,
      keeper: copy,
    },
    publish: (known) => copy.publish(known),
    ...(quorum && { quorum }),
  })
  return {
    folder,
    state,
    shown,
    look: () => monitor.look(),
    reopen: () => monitor.reopen(),
    async files() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      const names = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      return new Map(
        await Promise.all(
          names
            .toSorted()
            .map(async (name) => [name, await readFile(path.join(root, name))] as const),
        ),
      )
    },
    replace: (file, bytes) => writeFile(path.join(root, file), bytes),
    remove: (file) => rm(path.join(root, file)),
    audit: () => auditCopy({ folder, verifier, onProgress: () => undefined }),
  }
}
