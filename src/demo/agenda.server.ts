/** What is still to happen, each at its time. What happens may put more on it. */
export type Agenda = {
  /** At a time in milliseconds; of things at the same time, the one put first comes first. */
  at(time: number, happen: (at: number) => void): void
  /** Lets everything up to a time happen, in its order; what is later never does. */
  play(until: number): void
}

type Planned = { readonly at: number; readonly nth: number; readonly happen: (at: number) => void }

export function openAgenda(): Agenda {
  const heap: Planned[] = []
  let nth = 0
  return {
    at(time, happen) {
      nth += 1
      push(heap, { at: time, nth, happen })
    },
    play(until) {
      for (let next = heap[0]; next && next.at <= until; next = heap[0]) {
        pop(heap)
        next.happen(next.at)
      }
    },
  }
}

const isBefore = (a: Planned, b: Planned): boolean => a.at < b.at || (a.at === b.at && a.nth < b.nth)

function push(heap: Planned[], planned: Planned): void {
  let place = heap.length
  while (place > 0) {
    const above = (place - 1) >> 1
    const parent = heap[above] as Planned
    if (!isBefore(planned, parent)) break
    heap[place] = parent
    place = above
  }
  heap[place] = planned
}

function pop(heap: Planned[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let place = 0
  for (;;) {
    const left = 2 * place + 1
    const right = left + 1
    const [one, other] = [heap[left], heap[right]]
    if (!one) break
    const child = other && isBefore(other, one) ? right : left
    const smaller = heap[child] as Planned
    if (!isBefore(smaller, last)) break
    heap[place] = smaller
    place = child
  }
  heap[place] = last
}
