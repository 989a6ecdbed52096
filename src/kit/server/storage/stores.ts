import { join } from 'node:path'
import type { Env } from '../process/env.ts'
import { readFilesUrl } from '../process/files-url.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'
import type { LinkedStore, Store } from './store.ts'

export type FileSettings = Pick<Env, 'DATA_DIR' | 'FILES_URL' | 'FILES_ACCESS_KEY' | 'FILES_SECRET_KEY'>

export const filesFolder = (dataDir: string): string => join(dataDir, 'files')

export const erasuresFolder = (dataDir: string): string => join(dataDir, 'erasures')

export type Stores = {
  readonly local: Store
  readonly bucket: LinkedStore | undefined
  /** Where files are put. */
  readonly store: Store
  /** Who was erased, told beside the files. */
  readonly erasures: Store
}

/** The folder is always there: what comes is written aside in it. A bucket, if one is named, is where files are put. */
export function openStores(env: FileSettings): Stores {
  const local = openFolder(filesFolder(env.DATA_DIR))
  const place = env.FILES_URL === undefined ? undefined : readFilesUrl(env.FILES_URL)
  const { FILES_ACCESS_KEY: accessKey = '', FILES_SECRET_KEY: secretKey = '' } = env
  const keys = { accessKey, secretKey }
  const bucket = place && openBucket(place, keys)
  const erasures = place
    ? openBucket({ ...place, folder: `${place.folder}erasures/` }, keys)
    : openFolder(erasuresFolder(env.DATA_DIR))
  return { local, bucket, store: bucket ?? local, erasures }
}
