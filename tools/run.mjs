import { bring, stop } from './bring.mjs'
import { runToEnd } from './keep.mjs'

if (process.argv.length < 3) stop('Usage: node tools/run.mjs <file.ts> [arguments]')
runToEnd(bring(), process.argv.slice(2))
