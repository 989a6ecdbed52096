import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const CONSOLE_FOLDER = fileURLToPath(new URL('../../../../dist/console', import.meta.url))

/** Names that carry a hash of their content (`/assets/index-B2xk9Q3a.js`): what has that name never changes. */
const HASHED = /-[\w-]{8}\.\w+$/

/**
 * Serves the built console. Its routes stand behind the `#`, so the page itself is asked for at `/` alone; anything else
 * that is missing is 404, never the page: a browser would try to run it as the script it asked for.
 */
export async function serveConsole(http: FastifyInstance, folder: string = CONSOLE_FOLDER): Promise<void> {
  if (!existsSync(folder)) {
    http.get('/', async (_request, reply) =>
      reply.code(503).type('text/plain').send('The console is not built yet. Run: npm run build'),
    )
    return
  }
  await http.register(fastifyStatic, {
    root: folder,
    index: ['index.html'],
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, path) {
      const name = basename(path).replace(/\.(br|gz)$/, '')
      reply.header('cache-control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
