import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { judge } from '#engines/rule/judge.model.ts'
import { get } from '#kit/page/call.ts'
import { useLanguage } from '#kit/page/language.ts'
import { knowing, type Offered, offeredFor } from './knowing.model.ts'
import { type Mark, marksOf } from './marks.model.ts'
import { type KnownNames, resource, type Tried } from './model.ts'

/** What chains may speak of, in the person's language. */
export function useKnownNames(): KnownNames | undefined {
  const language = useLanguage()
  return useQuery({
    queryKey: [resource.screen.name, 'known', language],
    queryFn: () => get<KnownNames>(`/${resource.screen.name}/known`),
  }).data
}

/** A chain as it is read: what it is made of, what is wrong with it, and what may be named in it. */
export function useChain(source: string, event: string | null | undefined) {
  const names = useKnownNames()
  const judged = useMemo(() => judge(source, knowing(names ?? NOTHING, event)), [source, names, event])
  const offered = useMemo(() => names && offeredFor(names, event), [names, event])
  const faulty = useMemo(() => new Set(names ? judged.faults.map(({ start }) => start) : []), [judged, names])
  return { ...judged, names, offered, faulty, told: names?.events.find(({ name }) => name === event) }
}
export const NOTHING: Offered = { nodes: [], chains: [], events: [], facts: [] }

/** How each node of this text ran in the last dry run of it. */
export function useMarks(source: string) {
  const [run, setRun] = useState<{ source: string; tried: Tried }>()
  const marks = useMemo(() => (run?.source === source ? marksOf(run.tried) : NO_MARKS), [run, source])
  return { marks, onTried: (tried: string, how: Tried) => setRun({ source: tried, tried: how }) }
}
const NO_MARKS: ReadonlyMap<number, Mark> = new Map()
