import { fileURLToPath } from 'node:url'
import { bring, buildConsole } from './bring.mjs'
import { keepRunning } from './keep.mjs'

const node = bring()
buildConsole(node)
keepRunning(node, [fileURLToPath(new URL('../src/server.ts', import.meta.url)), ...process.argv.slice(2)])
