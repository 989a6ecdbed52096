/** Tells the first word about something at once, and what follows before it has rested together at the end of that. */
export class Gathered {
  private readonly resting = new Map<string, NodeJS.Timeout>()
  private readonly late = new Set<string>()
  private readonly restMs: number
  private readonly tell: (about: string) => void

  constructor(restMs: number, tell: (about: string) => void) {
    this.restMs = restMs
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
    }, this.restMs)
    timer.unref()
    this.resting.set(about, timer)
  }

  close(): void {
    for (const timer of this.resting.values()) clearTimeout(timer)
    this.resting.clear()
  }
}
