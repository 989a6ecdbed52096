/** Too many wait already, or one has waited too long: whoever asked is told to come again. */
export class Overloaded extends Error {
  override name = 'Overloaded'
}

type Waiter = { readonly begin: () => void; readonly giveUp: NodeJS.Timeout }

/**
 * Those who want the same thing wait in one line of this process, each thing with a line of its own: one at a time has it,
 * and the others hold nothing meanwhile.
 */
export class Lanes {
  private readonly lines = new Map<string, Waiter[]>()
  private readonly waitMs: number
  private readonly mostWaiting: number
  private waitingNow = 0

  constructor(waitMs: number, mostWaiting: number) {
    this.waitMs = waitMs
    this.mostWaiting = mostWaiting
  }

  get waiting(): number {
    return this.waitingNow
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key)
    if (line) await this.turnIn(line)
    else this.lines.set(key, [])
    try {
      return await work()
    } finally {
      this.leave(key)
    }
  }

  private turnIn(line: Waiter[]): Promise<void> {
    if (this.waitingNow >= this.mostWaiting) throw new Overloaded('too many wait for the same records')
    this.waitingNow += 1
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        line.splice(line.indexOf(waiter), 1)
        this.waitingNow -= 1
        reject(new Overloaded('waited too long for a record'))
      }, this.waitMs)
      const waiter: Waiter = { begin: resolve, giveUp }
      line.push(waiter)
    })
  }

  private leave(key: string): void {
    const next = this.lines.get(key)?.shift()
    if (!next) return void this.lines.delete(key)
    clearTimeout(next.giveUp)
    this.waitingNow -= 1
    next.begin()
  }
}
