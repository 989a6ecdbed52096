import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Flex, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { CallFailed, post, reasonOf } from '#kit/page/call.ts'

const CODE = { fontFamily: 'monospace' } as const

type Props<Tried> = {
  /** Where it is tried, and what is sent besides the facts. */
  path: string
  sent: object
  begin: string
  max: number
  rows: number
  words: { readonly facts: string; readonly run: string; readonly failed: string }
  /** Another way to come by facts. */
  taken?: (take: (facts: string) => void) => ReactNode
  onTried?: (tried: Tried) => void
  children(tried: Tried): ReactNode
}

/** Runs what is being written once, on facts somebody enters, and shows what came of it. */
export function TryOut<Tried>({ path, sent, begin, max, rows, words, taken, onTried, children }: Props<Tried>) {
  const [facts, setFacts] = useState(begin)
  const id = useId()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => post<Tried>(path, { ...sent, facts }),
    ...(onTried && { onSuccess: onTried }),
  })
  return (
    <Flex vertical gap={8}>
      <Flex gap={8} align="baseline" justify="space-between" wrap>
        <label htmlFor={id}>{words.facts}</label>
        {taken?.(setFacts)}
      </Flex>
      <Input.TextArea
        id={id}
        value={facts}
        maxLength={max}
        autoSize={{ minRows: 2, maxRows: rows }}
        spellCheck={false}
        style={CODE}
        onChange={event => setFacts(event.target.value)}
      />
      <div>
        <Button loading={isPending} onClick={() => mutate()}>
          {words.run}
        </Button>
      </div>
      <div aria-live="polite">
        {error && (
          <Alert type="error" title={words.failed} description={error instanceof CallFailed ? reasonOf(error) : ''} />
        )}
        {data && !error && children(data)}
      </div>
    </Flex>
  )
}
