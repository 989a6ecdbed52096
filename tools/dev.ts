import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const SERVER = fileURLToPath(new URL('../src/server.ts', import.meta.url))
/** The console in development; calls and the live channel go to the server below. */
const CONSOLE_PORT = Number(process.env.CONSOLE_PORT ?? 5173)
const api = `127.0.0.1:${process.env.PORT ?? 8000}`

const console_ = await createServer({
  server: {
    port: CONSOLE_PORT,
    strictPort: true,
    proxy: { '/api': `http://${api}`, '/ws': { target: `ws://${api}`, ws: true } },
  },
})
await console_.listen()
console_.printUrls()

// Restarted by Node itself when a file it runs changes.
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', SERVER], { stdio: 'inherit' })

const stop = async () => {
  // Said before Vite and Node's watcher say the number of the signal: whoever asked for it sees no failure.
  process.exitCode = 0
  server.kill('SIGTERM')
  await console_.close()
}
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
server.once('exit', code => {
  process.exitCode ??= code ?? 0
  void console_.close()
})
