import { fileURLToPath } from 'node:url'
import { bring, buildConsole, runToEnd } from './bring.mjs'

const node = bring()
buildConsole(node)
runToEnd(node, [fileURLToPath(new URL('../src/server.ts', import.meta.url)), ...process.argv.slice(2)])
