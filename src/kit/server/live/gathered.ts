/** Of many changes one after the other so much is let pass; the last of them is always told. */
const GATHER_MS = 3_000

/** Tells the first word about something at once, and what follows within some seconds together at their end. */
export class Gathered {
  private readonly resting = new Map<string, NodeJS.Timeout>()
  private readonly late = new Set<string>()
  private readonly tell: (about: string) => void

  constructor(tell: (about: string) => void) {
    this.tell = tell
  }

  hear(about: string): void {
    if (this.resting.has(about)) this.late.add(about)
    else this.pass(about)
  }

  private pass(about: string): void {
    this.tell(about)
    const timer = setTimeout(() => {
      this.resting.delete(about)
      if (this.late.delete(about)) this.pass(about)
    }, GATHER_MS)
    timer.unref()
    this.resting.set(about, timer)
  }

  close(): void {
    for (const timer of this.resting.values()) clearTimeout(timer)
    this.resting.clear()
  }
}
