import { bring, runToEnd, stop } from './bring.mjs'

if (process.argv.length < 3) stop('Usage: node tools/run.mjs <file.ts> [arguments]')
runToEnd(bring(), process.argv.slice(2))
