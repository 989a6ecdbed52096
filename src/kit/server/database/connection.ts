import pg from 'pg'

/** Work on a connection of its own, which is ended with it. Lost at any moment, also between two statements, the work fails and says why. */
export async function withConnection<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  let lost: Error | undefined
  // Without a listener, a connection that is cut while nobody asks anything ends the process.
  client.on('error', error => (lost ??= error))
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    // The statement after the loss only knows that nothing can be asked any more.
    throw lost ?? error
  } finally {
    await client.end()
  }
}
