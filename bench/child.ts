import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

/** Ends a process that was started here, by its own handle: politely, and after a while not. */
export async function endChild(child: ChildProcess, graceMs: number): Promise<void> {
  running.delete(child)
  if (isGone(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(late)
}

/** Remembered until it is ended, so that a measurement that breaks off leaves nothing running. */
export const remember = (child: ChildProcess): void => void running.add(child)

export const isGone = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

export const endRemembered = async (): Promise<void> =>
  void (await Promise.all([...running].map(child => endChild(child, 2_000))))
