// What is installed and built already, kept running: the image's way to start.
import { fileURLToPath } from 'node:url'
import { keepRunning } from './keep.mjs'

keepRunning(process.execPath, [fileURLToPath(new URL('../src/server.ts', import.meta.url))])
