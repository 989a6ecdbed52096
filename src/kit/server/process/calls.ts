import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CallBoard } from './call-board.ts'
import { routeOf } from './log.ts'

export type Calls = {
  readonly board: CallBoard
  /** When those under way now have been answered, or were broken off. */
  ended(): Promise<void>
}

/** Keeps track of the calls of one instance. */
export function trackCalls(http: FastifyInstance): Calls {
  const board = new CallBoard()
  const underWay = new Map<FastifyRequest, Promise<void>>()
  http.addHook('onRequest', (request, reply, done) => {
    const slot = board.note(`${request.method} ${routeOf(request)} ${request.id}`, Date.now())
    const closed = Promise.withResolvers<void>()
    underWay.set(request, closed.promise)
    // Not onResponse: a caller who hangs up gets no response, but the connection always closes.
    reply.raw.once('close', () => {
      underWay.delete(request)
      if (slot !== undefined) board.clear(slot)
      closed.resolve()
    })
    done()
  })
  return { board, ended: async () => void (await Promise.all(underWay.values())) }
}
