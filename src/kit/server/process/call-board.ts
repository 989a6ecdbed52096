/** Calls noted beyond this number are only counted. */
const SLOTS = 200
const SLOT_BYTES = 256
const HEAD_BYTES = 16

type CallUnderWay = {
  readonly method: string
  /** The template, never the address: an address may hold what a person typed. */
  readonly route: string
  readonly requestId: string
  readonly ms: number
}

/**
 * The calls under way, in memory another thread can read: when the loop stands still nobody here can be asked. A slot is
 * the length of its text (none: free), the instant it began, and the text.
 */
export class CallBoard {
  readonly memory: SharedArrayBuffer
  private readonly view: DataView
  private readonly bytes: Uint8Array
  private readonly encoder = new TextEncoder()

  constructor(memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES)) {
    this.memory = memory
    this.view = new DataView(memory)
    this.bytes = new Uint8Array(memory)
  }

  /** Gives the slot, to be given back; none where all are taken. */
  note(text: string, now: number): number | undefined {
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const at = slot * SLOT_BYTES
      if (this.view.getUint32(at) > 0) continue
      const place = this.bytes.subarray(at + HEAD_BYTES, at + SLOT_BYTES)
      this.view.setFloat64(at + 8, now)
      this.view.setUint32(at, this.encoder.encodeInto(text, place).written)
      return slot
    }
    return undefined
  }

  clear(slot: number): void {
    this.view.setUint32(slot * SLOT_BYTES, 0)
  }

  read(now: number): CallUnderWay[] {
    const decoder = new TextDecoder()
    const found: CallUnderWay[] = []
    for (let at = 0; at < this.memory.byteLength; at += SLOT_BYTES) {
      const length = this.view.getUint32(at)
      if (length === 0) continue
      // Copied: a decoder does not take shared memory.
      const text = decoder.decode(this.bytes.slice(at + HEAD_BYTES, at + HEAD_BYTES + length))
      const [method = '', route = '', requestId = ''] = text.split(' ')
      found.push({ method, route, requestId, ms: Math.round(now - this.view.getFloat64(at + 8)) })
    }
    return found
  }
}
