import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestions } from './companion.ts'

/** A page that needs one file more, of so many bytes, and shows a line once that is there: what the line alone takes. */
const pageOf = (bytes: number) => `<!doctype html><meta charset="utf-8"><title>bare</title><body><script type="module">
  await (await fetch('/bytes/${bytes}')).arrayBuffer()
  document.body.append(Object.assign(document.createElement('p'), { id: 'stands', textContent: 'here' }))
</script>`

const server = createServer((request, response) => {
  const [, kind, bytes = '0'] = /^\/(page|bytes)\/(\d{1,9})$/.exec(request.url ?? '') ?? []
  const type = kind === 'page' ? 'text/html' : 'application/octet-stream'
  response.writeHead(kind ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(kind === 'page' ? pageOf(Number(bytes)) : kind === 'bytes' ? randomBytes(Number(bytes)) : '')
})
const listening = new Promise<number>(resolve =>
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
)

/** Where it is reached. */
answerQuestions(() => listening)
