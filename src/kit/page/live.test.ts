import { beforeEach, describe, expect, test } from 'vitest'
import { LIVE_CODES, LiveChannel, type LiveIndicator, retryDelayMs, type Socket } from './live.ts'

/** A server, a clock and a network that do what the test says. */
class World {
  now = 0
  token: string | null = 'secret'
  random = 0.5
  isUp = true
  /** Whether a socket opens by itself. */
  accepts = false
  readonly sockets: (Socket & { path: string; readyState: number; sent: string[]; closed: boolean })[] = []
  readonly indicators: LiveIndicator[] = []
  readonly waits: number[] = []
  readonly pushes: unknown[] = []
  readonly decided: string[] = []
  readonly tasks: string[] = []
  readonly changed: unknown[] = []
  readonly figures: string[] = []
  readonly rows: string[] = []
  messages = 0
  menus = 0
  reaches = 0
  ended = 0
  onlines = 0
  private timers: { at: number; work: () => void }[] = []

  readonly channel = new LiveChannel({
    token: () => this.token,
    ticket: async () => {
      if (!this.isUp) throw new Error('away')
      return 'once'
    },
    open: path => {
      const socket = {
        path,
        readyState: 1,
        sent: [] as string[],
        closed: false,
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text: string) => void socket.sent.push(text),
        close() {
          socket.closed = true
        },
      }
      this.sockets.push(socket)
      if (this.accepts) queueMicrotask(() => (socket as Socket).onopen?.())
      return socket
    },
    now: () => this.now,
    after: (ms, work) => {
      const timer = { at: this.now + ms, work }
      this.timers.push(timer)
      this.waits.push(ms)
      return () => {
        this.timers = this.timers.filter(other => other !== timer)
      }
    },
    random: () => this.random,
    factor: () => 1.2,
    onIndicator: indicator => void this.indicators.push(indicator),
    onOnline: () => {
      this.onlines += 1
    },
    onPush: push => void this.pushes.push(push),
    onDecided: id => void this.decided.push(id),
    onTaskEnded: id => void this.tasks.push(id),
    onChanged: changed => void this.changed.push(changed),
    onFigures: page => void this.figures.push(page),
    onRows: page => void this.rows.push(page),
    onMessage: () => {
      this.messages += 1
    },
    onMenuChanged: () => {
      this.menus += 1
    },
    onReachChanged: () => {
      this.reaches += 1
    },
    onEnded: () => {
      this.ended += 1
    },
  })

  get socket() {
    return this.sockets.at(-1)
  }
  get indicator() {
    return this.indicators.at(-1)
  }

  async forward(ms: number): Promise<void> {
    const until = this.now + ms
    for (;;) {
      await settled()
      const [next] = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      this.timers = this.timers.filter(timer => timer !== next)
      this.now = next.at
      next.work()
    }
    this.now = until
    await settled()
  }
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

describe('the live connection', () => {
  let world: World
  beforeEach(() => {
    world = new World()
  })

  const goOnline = async () => {
    world.channel.start()
    await settled()
    world.socket?.onopen?.()
  }

  test('has the codes of the contract', () => {
    expect(LIVE_CODES).toEqual({ connecting: 1, online: 2, offline: 3 })
  })

  test('opens with a ticket, never with the token, and shows its states', async () => {
    await goOnline()
    expect(world.socket?.path).toMatch(/^\/ws\/websocket\/[0-9a-f-]{36}\/once$/)
    expect(world.indicators).toEqual(['connecting', 'online'])
    expect(world.onlines).toBe(1)
  })

  test('waits a second at a time until there is a token', async () => {
    world.token = null
    world.channel.start()
    await world.forward(2_500)
    expect(world.sockets).toHaveLength(0)
    expect(world.waits).toEqual([1_000, 1_000, 1_000])
    world.token = 'secret'
    await world.forward(1_000)
    expect(world.sockets).toHaveLength(1)
  })

  test('sends nothing into a socket that is closing, and dials again', async () => {
    await goOnline()
    if (world.socket) world.socket.readyState = 2
    await world.forward(30_000)
    expect(world.sockets.map(({ sent }) => sent)).toEqual([[]])
    expect(world.indicator).toBe('offline')
    await world.forward(3_000)
    expect(world.sockets).toHaveLength(2)
  })

  test('sends a heartbeat with the token of the moment every 30 seconds', async () => {
    await goOnline()
    await world.forward(29_999)
    expect(world.socket?.sent).toEqual([])
    world.token = 'newer'
    await world.forward(30_001)
    expect(world.socket?.sent).toEqual(['{"type":1,"token":"newer"}', '{"type":1,"token":"newer"}'])
  })

  test('waits 3 s, then 1.2 times as long each time', async () => {
    world.isUp = false
    world.channel.start()
    await world.forward(20_000)
    const retries = world.waits.filter(ms => ms !== 20_000)
    expect(retries.slice(0, 4).map(Math.round)).toEqual([3_000, 3_600, 4_320, 5_184])
    expect(world.indicator).toBe('offline')
  })

  test('half of the wait is chance, and none is longer than a minute', () => {
    expect([0, 0.5, 1].map(random => retryDelayMs(0, 1.2, random))).toEqual([1_500, 3_000, 4_500])
    expect(retryDelayMs(0, 1.3, 0.5)).toBe(3_000)
    expect(Math.round(retryDelayMs(1, 1.3, 0.5))).toBe(3_900)
    expect(retryDelayMs(40, 1.2, 1)).toBe(60_000)
  })

  test('gives up once failures lie a minute apart, and says so', async () => {
    world.isUp = false
    world.channel.start()
    await world.forward(3_600_000)
    expect(world.indicator).toBe('error')
    const tried = world.waits.length
    await world.forward(3_600_000)
    expect(world.waits).toHaveLength(tried)
  })

  test('after giving up, a click or a look at the window tries again, with the short wait', async () => {
    world.isUp = false
    world.channel.start()
    await world.forward(3_600_000)
    world.waits.length = 0
    world.channel.wake()
    await settled()
    expect(world.waits.at(-1)).toBe(3_000)
    world.isUp = true
    world.channel.reconnect()
    await settled()
    world.socket?.onopen?.()
    expect(world.indicator).toBe('online')
  })

  test('looking at the window changes nothing while it is online', async () => {
    await goOnline()
    world.channel.wake()
    expect(world.sockets).toHaveLength(1)
  })

  test('a click reconnects, also when it is online', async () => {
    await goOnline()
    world.channel.reconnect()
    await settled()
    expect(world.sockets).toHaveLength(2)
    expect(world.sockets[0]?.closed).toBe(true)
  })

  test('a connection that held begins a new count when it is lost', async () => {
    world.isUp = false
    world.channel.start()
    await world.forward(30_000)
    world.isUp = world.accepts = true
    await world.forward(120_000)
    expect(world.indicator).toBe('online')
    world.waits.length = 0
    world.socket?.onclose?.({ code: 1012 })
    expect(world.waits).toEqual([3_000])
    expect(world.indicator).toBe('offline')
  })

  test('a connection that drops at once goes on waiting longer', async () => {
    await goOnline()
    for (let round = 0; round < 3; round += 1) {
      world.socket?.onclose?.({ code: 1006 })
      await world.forward(10_000)
      world.socket?.onopen?.()
    }
    world.waits.length = 0
    world.socket?.onclose?.({ code: 1006 })
    expect(Math.round(world.waits[0] ?? 0)).toBe(5_184)
  })

  test('a socket that never opens is a failure too', async () => {
    world.channel.start()
    await world.forward(25_000)
    expect(world.sockets.length).toBeGreaterThan(1)
    expect(world.sockets[0]?.closed).toBe(true)
  })

  test('an ended session is told, and nothing of an old attempt counts', async () => {
    await goOnline()
    const old = world.socket
    const oldClose = old?.onclose
    world.socket?.onclose?.({ code: 4401 })
    expect(world.ended).toBe(1)
    await world.forward(3_000)
    world.socket?.onopen?.()
    oldClose?.({ code: 1006 })
    expect(world.indicator).toBe('online')
  })

  test('back after a loss, it asks for the menu again: what it was told meanwhile did not come', async () => {
    await goOnline()
    expect(world.menus).toBe(0)
    world.socket?.onclose?.({ code: 1006 })
    await world.forward(5_000)
    world.socket?.onopen?.()
    expect(world.menus).toBe(1)
  })

  test('stopped, it hangs up and stays silent', async () => {
    await goOnline()
    world.channel.stop()
    await world.forward(600_000)
    expect(world.socket?.closed).toBe(true)
    expect(world.sockets).toHaveLength(1)
  })

  test('hands on what the server pushes and ignores what it cannot read', async () => {
    await goOnline()
    world.socket?.onmessage?.({ data: '{"type":2,"key":"k","content":"{}","token":null}' })
    world.socket?.onmessage?.({ data: 'no json' })
    world.socket?.onmessage?.({ data: '{"type":99}' })
    world.socket?.onmessage?.({ data: 'null' })
    world.socket?.onmessage?.({ data: '{"decided":"7"}' })
    expect(world.decided).toEqual(['7'])
    world.socket?.onmessage?.({ data: '{"task":"9"}' })
    expect(world.tasks).toEqual(['9'])
    const before = world.messages
    world.socket?.onmessage?.({ data: '{"message":"7"}' })
    expect(world.messages).toBe(before + 1)
    world.socket?.onmessage?.({ data: '{"changed":{"record":"members/member","id":"5"}}' })
    expect(world.changed).toEqual([{ record: 'members/member', id: '5' }])
    world.socket?.onmessage?.({ data: '{"figures":"sale-chart"}' })
    expect(world.figures).toEqual(['sale-chart'])
    world.socket?.onmessage?.({ data: '{"rows":"order-list"}' })
    expect(world.rows).toEqual(['order-list'])
    world.socket?.onmessage?.({ data: '{"reach":true}' })
    expect(world.reaches).toBe(1)
    world.socket?.onmessage?.({ data: '{"menu":true}' })
    expect(world.menus).toBe(1)
    expect(world.pushes).toEqual([{ type: 2, key: 'k', content: '{}', token: null }])
  })
})
