import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { TreeNode, TreeOfNodes } from '#kit/model/tree.ts'
import { get } from '../call.ts'
import { fitting } from './place.ts'

/** The records of a tree as far as they have been read: by which call, and under which name they are kept. */
export function useTree(path: string, kept: readonly string[], typed = '') {
  const client = useQueryClient()
  const [opened, setOpened] = useState<readonly string[]>([])
  const ask = (query: Readonly<Record<string, string>>) => ({
    queryKey: [...kept, query],
    queryFn: ({ signal }: { signal: AbortSignal }) => get<TreeOfNodes>(path, { query, signal }),
  })
  const top = useQuery(ask({}))
  const isWhole = top.data?.isWhole ?? false
  const text = typed.trim()
  const below = useQueries({ queries: opened.map(id => ask({ below: id })) })
  // Whoever has not all of them before him searches where they all are.
  const found = useQuery({ ...ask({ query: text }), enabled: text !== '' && top.data !== undefined && !isWhole })
  const read = [top.data, ...below.map(({ data }) => data)]
  const nodes = useMemo(
    () => once(read.flatMap(data => data?.nodes ?? [])),
    // biome-ignore lint/correctness/useExhaustiveDependencies: what was read is what it hangs on, by identity
    read,
  )
  const shown = text === '' ? nodes : isWhole ? fitting(nodes, text) : (found.data?.nodes ?? [])
  return {
    nodes,
    shown,
    isWhole,
    isRead: top.data !== undefined,
    error: top.error ?? found.error,
    retry: () => void top.refetch(),
    /** Reads what stands below a record, where not all was read at once. */
    async open(id: string) {
      await client.fetchQuery(ask({ below: id }))
      setOpened(known => (known.includes(id) ? known : [...known, id]))
    },
  }
}
export type ReadTree = ReturnType<typeof useTree>

const once = (nodes: readonly TreeNode[]): readonly TreeNode[] => [
  ...new Map(nodes.map(node => [node.id, node])).values(),
]
