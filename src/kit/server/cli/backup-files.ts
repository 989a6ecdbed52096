import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, constants, copyFile, mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { withConnection } from '#kit/server/database/connection.ts'
import type { Env } from '#kit/server/process/env.ts'
import { StartRefused } from '#kit/server/process/start-refused.ts'
import { writeAside } from '#kit/server/storage/aside.ts'
import { isFileId } from '#kit/server/storage/file.ts'
import { filesFolder, openStores } from '#kit/server/storage/stores.ts'
import { hashFile, KEPT_SECRETS, type Manifest } from './backup-format.ts'

/** What is there is not copied again: a file never changes under its name. */
export async function copyFiles(env: Env, url: string, folder: string): Promise<void> {
  for (const name of await namesIn(env.DATA_DIR)) {
    await copyFile(join(env.DATA_DIR, name), join(folder, name), constants.COPYFILE_EXCL).catch(error => {
      // ENOENT: an upload swept meanwhile.
      if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
    })
  }
  const { bucket } = openStores(env)
  if (!bucket) return
  for (const id of await missingIn(folder, url)) {
    const source = await bucket.read(id)
    if (source) await pipeline(source, createWriteStream(join(folder, 'files', id), { flags: 'wx', mode: 0o600 }))
  }
}

/** Files the database names that the backup does not hold. */
export async function missingIn(folder: string, url: string): Promise<string[]> {
  const { rows } = await withConnection({ connectionString: url }, client =>
    client.query<{ id: string }>('select id::text as id from file'),
  )
  const held = new Set(await readdir(join(folder, 'files')))
  return rows.map(({ id }) => id).filter(id => !held.has(id))
}

export async function hashFiles(folder: string): Promise<Manifest['files']> {
  const hashed: Manifest['files'] = []
  for (const name of await namesIn(folder)) hashed.push({ name, ...(await hashFile(join(folder, name))) })
  return hashed
}

/** Uploads, and those secrets that were ever made. */
async function namesIn(dataDir: string): Promise<string[]> {
  const uploads = await readdir(join(dataDir, 'files')).catch(() => [])
  const secrets = await readdir(dataDir).catch(() => [])
  return [
    ...uploads.filter(isFileId).map(name => `files/${name}`),
    ...secrets.filter(name => KEPT_SECRETS.includes(name)),
  ]
}

/** For their owner alone, as the console makes them: on its way a backup may have lost its modes. */
export async function restoreFiles(env: Env, folder: string, { files }: Manifest): Promise<void> {
  const { bucket } = openStores(env)
  const uploads = filesFolder(env.DATA_DIR)
  await mkdir(uploads, { recursive: true })
  await chmod(uploads, 0o700)
  for (const { name } of files.filter(file => !bucket || KEPT_SECRETS.includes(file.name))) {
    await copyFile(join(folder, name), join(env.DATA_DIR, name))
    await chmod(join(env.DATA_DIR, name), 0o600)
  }
}

/** Two consoles on one folder would each remove what the other has taken since. */
export async function requireOwnBucket(env: Env, { files }: Manifest): Promise<void> {
  const { bucket } = openStores(env)
  if (!bucket) return
  const held = new Set(files.map(({ name }) => basename(name)))
  for await (const names of bucket.names()) {
    const found = names.find(name => held.has(name))
    if (found !== undefined)
      throw new StartRefused(
        `The folder FILES_URL names holds files of this backup already, such as ${found}. ` +
          'Restored there, a copy would remove files of the console that uses it: name another folder in FILES_URL. ' +
          'If no console uses this one any more, say --same-bucket.',
      )
  }
}

/** Into the bucket, once the rows are there that tell what each file is; nothing to do for a folder. */
export async function restoreBucket(env: Env, folder: string, manifest: Manifest, client: pg.Client): Promise<void> {
  const { bucket } = openStores(env)
  if (!bucket) return
  const { rows } = await client.query<{ id: string; name: string; type: string }>(
    'select id::text as id, name, type from file',
  )
  const held = new Set(manifest.files.map(({ name }) => basename(name)))
  for (const { id, ...called } of rows.filter(row => held.has(row.id))) {
    const aside = await writeAside(filesFolder(env.DATA_DIR), () => createReadStream(join(folder, 'files', id)))
    await bucket.put(id, aside, called)
  }
}
