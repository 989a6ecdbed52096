import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openTestInstance, person } from '../tools/testing/instance.ts'
import { Processes } from '../tools/testing/process.ts'
import type { Run, Settings } from '../tools/testing/program.ts'
import { openBalancer } from './balancer.ts'
import { rounds } from './rounds.ts'

const CALLERS = 6
const PAUSE_MS = 20
const RESTARTED = 1012

describe('an update of two instances, one after the other', () => {
  const processes = new Processes()
  const undo: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
    await processes.end()
  })

  test('nobody who calls meanwhile is failed, and sockets are told to come back and do', async () => {
    const settings = await processes.settings({ SEED: 'none', ADMIN_PASSWORD: 'seven-brushes-dry' })
    const places = [settings, { ...settings, PORT: (await processes.settings()).PORT ?? '' }]
    const runs = await Promise.all(places.map(place => started(place)))
    const office = await openTestInstance({ url: settings.DATABASE_URL ?? '' })
    const { token } = await person(office, { superAdmin: true })
    const balancer = await openBalancer(places.map(({ PORT }) => Number(PORT)))
    undo.push(() => balancer.close())

    const stop = new AbortController()
    undo.push(async () => stop.abort())
    const seen = new Map<string, number>()
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!stop.signal.aborted) {
        const said = await call(`http://${balancer.host}/api/orders/order`, token)
        seen.set(said, (seen.get(said) ?? 0) + 1)
        await sleep(PAUSE_MS)
      }
    })
    const closings: number[] = []
    const listeners = [0, 1].map(() => listenAgain(balancer.host, token, stop.signal, closings))
    await expect.poll(balancer.sockets).toEqual([1, 1])

    for (let round = 0; round < rounds(10); round += 1) {
      for (const [nth, place] of places.entries()) {
        const [run, before] = [runs[nth] as Run, closings.length]
        const held = balancer.sockets()[nth] ?? 0
        run.child.kill('SIGTERM')
        expect(await run.exited).toBe(0)
        await expect.poll(() => balancer.sockets().reduce((sum, open) => sum + open, 0)).toBe(2)
        expect(closings.slice(before)).toEqual(Array(held).fill(RESTARTED))
        runs[nth] = await started(place)
        await expect.poll(() => balancer.isReady(nth)).toBe(true)
      }
    }
    stop.abort()
    await Promise.all([...callers, ...listeners])
    expect(closings.length).toBeGreaterThan(1)
    expect([...seen.keys()]).toEqual(['200'])
    expect(seen.get('200')).toBeGreaterThan(100)
  })

  async function started(place: Settings): Promise<Run> {
    const run = processes.server(place)
    await run.ready
    return run
  }
})

async function call(address: string, authtoken: string): Promise<string> {
  try {
    const answer = await fetch(address, { headers: { authtoken } })
    await answer.arrayBuffer()
    return String(answer.status)
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error)
  }
}

/** A socket that is opened again as often as it is closed, as the page does; 1006 stands for one that could not be opened. */
async function listenAgain(host: string, token: string, stop: AbortSignal, closings: number[]): Promise<void> {
  while (!stop.aborted) {
    const socket = new WebSocket(`ws://${host}/ws/websocket/${randomUUID()}/${token}`).on('error', () => {})
    const leave = () => socket.close()
    stop.addEventListener('abort', leave)
    const code = await new Promise<number>(closed => socket.once('close', closed))
    stop.removeEventListener('abort', leave)
    if (!stop.aborted) closings.push(code)
    await sleep(PAUSE_MS)
  }
}
