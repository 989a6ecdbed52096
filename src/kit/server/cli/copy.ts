import type pg from 'pg'

/** What pg calls while a COPY is under way; its own queries know no COPY. */
type Connection = {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  readonly stream: {
    pause(): void
    resume(): void
    readonly writableNeedDrain: boolean
    once(event: 'drain', listener: () => void): void
  }
}

/** A table may take longer to copy than any call may take. */
export const OF_ANY_LENGTH = '-c timezone=UTC -c statement_timeout=0'

abstract class Copy {
  protected readonly settled = Promise.withResolvers<void>()
  private readonly text: string

  constructor(text: string) {
    this.text = text
    // Whoever reads the stream hears of a failure there.
    this.settled.promise.catch(() => {})
  }

  submit(connection: Connection): void {
    connection.query(this.text)
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleReadyForQuery(): void {
    this.settled.resolve()
  }
  handleError(error: Error): void {
    this.settled.reject(error)
  }
}

/** Lines kept while the reader is busy with those before; beyond this the database waits. */
const KEPT_BYTES = 1_048_576

class CopyOut extends Copy {
  private connection: Connection | undefined
  private kept: Buffer[] = []
  private bytes = 0
  private isOver = false
  private isLeft = false
  private wake: () => void = () => {}

  async *lines(): AsyncGenerator<Buffer, void, void> {
    try {
      for (;;) {
        if (this.kept.length > 0) yield this.take()
        else if (this.isOver) return await this.settled.promise
        else await new Promise<void>(come => (this.wake = come))
      }
    } finally {
      this.isLeft = true
      this.connection?.stream.resume()
    }
  }
  /** The socket reads on even when nothing held it up: the word that the table has ended comes behind its last line. */
  private take(): Buffer {
    const taken = Buffer.concat(this.kept)
    this.kept = []
    this.bytes = 0
    this.connection?.stream.resume()
    return taken
  }
  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    if (this.isLeft) return
    this.connection = connection
    // The parser hands out views of a buffer that it uses again.
    this.kept.push(Buffer.from(chunk))
    this.bytes += chunk.length
    if (this.bytes > KEPT_BYTES) connection.stream.pause()
    this.wake()
  }
  override handleReadyForQuery(): void {
    super.handleReadyForQuery()
    this.isOver = true
    this.wake()
  }
  override handleError(error: Error): void {
    super.handleError(error)
    this.isOver = true
    this.wake()
  }
}

class CopyIn extends Copy {
  private readonly source: AsyncIterable<Buffer>

  constructor(text: string, source: AsyncIterable<Buffer>) {
    super(text)
    this.source = source
  }
  get done(): Promise<void> {
    return this.settled.promise
  }
  handleCopyInResponse(connection: Connection): void {
    this.feed(connection).catch(error => connection.sendCopyFail(String(error)))
  }
  private async feed(connection: Connection): Promise<void> {
    for await (const chunk of this.source) {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain)
        await new Promise<void>(drained => connection.stream.once('drain', drained))
    }
    connection.endCopyFrom()
  }
}

/** The lines of `copy … to stdout`, read as slowly as they are taken. */
export function copyOut(client: pg.Client, text: string): AsyncIterable<Buffer> {
  const copy = new CopyOut(text)
  client.query(copy as unknown as pg.Submittable)
  return copy.lines()
}

/** Feeds `copy … from stdin`; ends when the database has taken everything. */
export function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  const copy = new CopyIn(text, source)
  client.query(copy as unknown as pg.Submittable)
  return copy.done
}
