import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, Typography } from 'antd'
import { type ReactNode, useDeferredValue, useRef } from 'react'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type LeftOut, MAX_PASTED, type Wish } from './model.ts'

type Pasted = { id?: string; value?: string; onChange?: (numbers: string) => void }
/** What has been entered so far, as the form gives it. */
export type Entered = Readonly<Record<string, unknown>> & Partial<Omit<Wish, 'numbers'>>
type Props<Reach> = Pasted & {
  /** The screen that counts whom it reaches. */
  screen: string
  /** What is counted, besides the audience; nothing while something is missing. */
  counted(entered: Entered): object | undefined
  /** What is said of those it reaches. */
  told(reach: Reach): ReactNode
}

/** Whom it goes to: numbers somebody pastes or opens from a file, or those the filter finds; and how many that are. */
export function AudienceInput<Reach extends LeftOut>({
  screen,
  counted,
  told,
  id,
  value = '',
  onChange,
}: Props<Reach>) {
  const entered: Entered = Form.useWatch([], Form.useFormInstance()) ?? {}
  const pasted = { value, ...(id === undefined ? {} : { id }), ...(onChange ? { onChange } : {}) }
  const besides = counted(entered)
  return (
    <Flex vertical gap={8}>
      {entered.audienceBy === 'NUMBERS' && <Numbers {...pasted} />}
      {besides && entered.audienceBy && (
        <ReachOf screen={screen} asked={{ ...audienceOf(entered), numbers: value, ...besides }} told={told} />
      )}
    </Flex>
  )
}

const NONE: readonly string[] = []
const audienceOf = ({ audienceBy, levels = [], channels = [], tags = [], ofOwnerId = null }: Entered) =>
  audienceBy === 'NUMBERS'
    ? { audienceBy, levels: NONE, channels: NONE, tags: NONE, ofOwnerId: null }
    : { audienceBy, levels, channels, tags, ofOwnerId }

function Numbers({ id, value, onChange }: Pasted) {
  const say = useTexts<typeof locale>('engines/audience')
  const file = useRef<HTMLInputElement>(null)
  const open = async (chosen: File | undefined) => {
    if (chosen) onChange?.((await chosen.text()).slice(0, MAX_PASTED))
  }
  return (
    <>
      <Input.TextArea
        {...(id === undefined ? {} : { id })}
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
        autoSize={{ minRows: 4, maxRows: 10 }}
        maxLength={MAX_PASTED}
        placeholder={say('numbers-paste')}
      />
      <div>
        <Button size="small" onClick={() => file.current?.click()}>
          {say('numbers-file')}
        </Button>
        <input
          ref={file}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hidden
          aria-label={say('numbers-file')}
          onChange={({ target }) => void open(target.files?.[0])}
        />
      </div>
    </>
  )
}

type ReachProps<Reach> = Pick<Props<Reach>, 'screen' | 'told'> & { asked: object }

/** Counted while it is being entered; the same is counted again when it is written. */
function ReachOf<Reach extends LeftOut>({ screen, asked, told }: ReachProps<Reach>) {
  const say = useTexts<typeof locale>('engines/audience')
  const wanted = useDeferredValue(asked)
  const { data, error, isFetching } = useQuery({
    queryKey: [screen, 'reach', wanted],
    queryFn: ({ signal }) => post<Reach>(`/${screen}/reach`, wanted, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })
  if (error) return <Typography.Text type="secondary">{error.message}</Typography.Text>
  if (!data) return null
  const left = (['strangers', 'repeated', 'invalid'] as const).filter(why => data[why] > 0)
  return (
    <div aria-live="polite" style={{ opacity: isFetching ? 0.6 : 1 }}>
      {told(data)}
      {left.map(why => (
        <div key={why} className="inkstone-note">
          {say(`left.${why}`, { count: data[why] })}
        </div>
      ))}
    </div>
  )
}
