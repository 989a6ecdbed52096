import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Place } from './place.ts'
import { stopPostmaster } from './postmaster.ts'

/** A process that runs the cluster, as far as anybody can tell, and a pg_ctl that does as it is told here. */
async function stopping(
  onImmediate: (pid: number) => string,
): Promise<{ stopped: Promise<void>; end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'inkstone-stop-'))
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', folder], { stdio: 'ignore' })
  await once(child, 'spawn')
  const { pid = 0 } = child
  const script = `#!/bin/sh\ncase "$*" in *immediate*) ${onImmediate(pid)};; esac\nexit 1\n`
  await writeFile(join(folder, 'pg_ctl'), script, { mode: 0o755 })
  const place = { bin: folder, cluster: folder, home: folder, folder, runner: undefined } as unknown as Place
  return {
    stopped: stopPostmaster(place, { pid, port: 0, ended: Promise.resolve('') }),
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await rm(folder, { recursive: true })
    },
  }
}

test('PostgreSQL that ends by itself while it is told to end at once has stopped', async () => {
  const { stopped, end } = await stopping(pid => `kill -9 ${pid}; sleep 0.2`)
  await expect(stopped).resolves.toBeUndefined()
  await end()
})

test('PostgreSQL that cannot be stopped is told, not passed over', async () => {
  const { stopped, end } = await stopping(() => 'true')
  await expect(stopped).rejects.toThrow()
  await end()
})
