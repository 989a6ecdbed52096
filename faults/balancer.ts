import { once } from 'node:events'
import { Agent, type ClientRequest, createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** More often than the console wants of a proxy (docs/security.md): busy cores make the pauses longer. */
const ASK_MS = 500

export type Balancer = {
  readonly host: string
  isReady(nth: number): boolean
  /** Open upgraded connections to each. */
  sockets(): number[]
  close(): Promise<void>
}

/**
 * What stands before several instances: calls in turn to those that last said they are ready, over connections it keeps,
 * as proxies do. It hides nothing: a call that fails is not tried elsewhere.
 */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<number>()
  const upgraded = ports.map(() => new Set<Socket>())
  let turn = 0
  const look = () =>
    Promise.all(
      ports.map(async (port, nth) => {
        const isReady = await fetch(`http://127.0.0.1:${port}/ready`).then(
          ({ ok }) => ok,
          () => false,
        )
        if (isReady) ready.add(nth)
        else ready.delete(nth)
      }),
    )
  const next = (): number => {
    const candidates = [...ready].sort()
    turn += 1
    return candidates[turn % candidates.length] ?? 0
  }
  const server = createServer((incoming, answer) => {
    const outgoing = passOn(incoming, ports[next()], agent)
    outgoing.on('error', () => answer.destroy())
    outgoing.on('response', response => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    incoming.pipe(outgoing)
  })
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex) => {
    const nth = next()
    const upstream = connect(ports[nth] ?? 0, '127.0.0.1')
    upgraded[nth]?.add(upstream)
    upstream.on('close', () => upgraded[nth]?.delete(upstream))
    const head = incoming.rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('')
    upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${head}\r\n`)
    upstream.on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
    upstream.pipe(client).pipe(upstream)
  })
  await look()
  const timer = setInterval(look, ASK_MS)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: nth => ready.has(nth),
    sockets: () => upgraded.map(({ size }) => size),
    async close() {
      clearInterval(timer)
      agent.destroy()
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}

const passOn = ({ method, url, headers }: IncomingMessage, port: number | undefined, agent: Agent): ClientRequest =>
  request({ host: '127.0.0.1', port, method, path: url, headers, agent })
