import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { PART_BYTES } from '#kit/model/upload.ts'
import { sendFile } from './send-file.ts'

type Sent = { path: string; at: string | null; bytes: number }

/** A server that keeps parts, over a line that breaks when it is told to. */
function openLine() {
  const sent: Sent[] = []
  let received = 0
  let known = true
  const breaks: ('before' | 'after' | 'busy')[] = []
  const answer = (data: unknown, code: number = CODES.ok, status = 200) =>
    new Response(JSON.stringify({ code, msg: code === CODES.ok ? 'ok' : 'Not valid: no', data }), { status })
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const url = new URL(input, 'http://console')
    const body = init.body instanceof FormData ? (init.body.get('file') as File) : undefined
    sent.push({ path: url.pathname.slice(4), at: url.searchParams.get('at'), bytes: body?.size ?? 0 })
    const broken = body && breaks.shift()
    if (broken === 'before') throw new TypeError('line broke')
    if (broken === 'busy') return answer(null, CODES.unavailable, 503)
    if (url.pathname.endsWith('/begin')) {
      received = 0
      known = true
      return answer({ id: 'u', received })
    }
    if (url.pathname.endsWith('/part')) {
      if (Number(url.searchParams.get('at')) === received) received += body?.size ?? 0
      if (broken === 'after') throw new TypeError('line broke')
      return answer({ id: 'u', received })
    }
    if (!url.pathname.endsWith('/u')) return answer({ id: 'f', name: 'a.pdf' })
    return known ? answer({ id: 'u', received }) : answer(null, CODES['not-found'], 404)
  })
  return {
    sent,
    breaks,
    forget: () => {
      known = false
    },
    parts: () => sent.filter(({ path }) => path.endsWith('/part')).map(({ at }) => Number(at) / PART_BYTES),
  }
}

const large = (name: string) => new File([new Uint8Array(2 * PART_BYTES + 5)], name, { lastModified: 1 })
/** Sends while the clock runs as fast as anybody waits. */
async function send(file: File) {
  const ended = sendFile(file, 'document').catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return ended
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a file', () => {
  test('that is small is sent in one call', async () => {
    const line = openLine()
    expect(await send(new File(['x'], 'a.pdf'))).toEqual({ id: 'f', name: 'a.pdf' })
    expect(line.sent.map(({ path }) => path)).toEqual(['/common/upload'])
  })

  test('that is large is sent in parts', async () => {
    const line = openLine()
    expect(await send(large('a.pdf'))).toEqual({ id: 'f', name: 'a.pdf' })
    expect(line.sent.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['/common/upload/begin', 0],
      ['/common/upload/u/part', PART_BYTES],
      ['/common/upload/u/part', PART_BYTES],
      ['/common/upload/u/part', 5],
      ['/common/upload/u/complete', 0],
    ])
  })

  test('of which a part is lost on the way there, or its answer on the way back, goes on by itself', async () => {
    const line = openLine()
    line.breaks.push('before', 'after', 'busy')
    expect(await send(large('b.pdf'))).toEqual({ id: 'f', name: 'a.pdf' })
    expect(line.parts()).toEqual([0, 0, 0, 0, 1, 2])
    expect(line.sent.filter(({ path }) => path.endsWith('/begin'))).toHaveLength(1)
  })

  test('given up after many tries goes on where it ended when it is chosen again', async () => {
    const line = openLine()
    line.breaks.push(...([undefined, ...Array(6).fill('before')] as never[]))
    expect(await send(large('c.pdf'))).toMatchObject({ name: 'Unanswered' })
    const before = line.parts().length
    expect(await send(large('c.pdf'))).toEqual({ id: 'f', name: 'a.pdf' })
    expect(line.parts().slice(before)).toEqual([1, 2])
    expect(line.sent.filter(({ path }) => path.endsWith('/begin'))).toHaveLength(1)
  })

  test('the server no longer knows is begun anew', async () => {
    const line = openLine()
    line.breaks.push(...([undefined, ...Array(6).fill('before')] as never[]))
    await send(large('d.pdf'))
    line.forget()
    expect(await send(large('d.pdf'))).toEqual({ id: 'f', name: 'a.pdf' })
    expect(line.sent.filter(({ path }) => path.endsWith('/begin'))).toHaveLength(2)
  })
})
