import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret kept in the data folder, made on first use; readable by the server's own user alone. */
export async function keptSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name)
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept !== '') return kept
  await mkdir(dataDir, { recursive: true })
  const own = `${path}.${randomUUID()}`
  await writeFile(own, randomBytes(32).toString('hex'), { mode: 0o600 })
  // Linked and not renamed: of instances that start together, one decides and the others read.
  await link(own, path).catch(() => {})
  await rm(own)
  return readFile(path, 'utf8')
}
