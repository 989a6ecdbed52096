import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** The one account its server knows. */
const KEY = 'S3RVER'

export type TestBucket = {
  /** The settings that name it. */
  readonly env: { FILES_URL: string; FILES_ACCESS_KEY: string; FILES_SECRET_KEY: string }
  /** Nobody answers at its address any more. */
  close(): Promise<void>
}

/** An empty bucket on a server that speaks S3 and checks every signature. */
export async function openTestBucket(folder = ''): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'inkstone-bucket-'))
  const name = 'inkstone-files'
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false }
  const server = new S3rver({ ...options, directory, configureBuckets: [{ name }] })
  const { port } = await server.run()
  let closing: Promise<void> | undefined
  const close = async () => {
    server.httpServer.closeAllConnections()
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
  return {
    env: {
      FILES_URL: `s3://127.0.0.1:${port}/${name}${folder}?tls=off`,
      FILES_ACCESS_KEY: KEY,
      FILES_SECRET_KEY: KEY,
    },
    close: () => (closing ??= close()),
  }
}
