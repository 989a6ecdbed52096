import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Form, Typography } from 'antd'
import { type ReactNode, useDeferredValue } from 'react'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { inCommonOf, type LeftOut, MAX_AUDIENCE, MAX_PASTED, NOTHING_IN_COMMON, type Wish } from './model.ts'
import { NumbersInput, type Pasted } from './numbers-input.page.tsx'

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
  const say = useTexts<typeof locale>('engines/audience')
  const entered: Entered = Form.useWatch([], Form.useFormInstance()) ?? {}
  const pasted = { value, ...(id === undefined ? {} : { id }), ...(onChange ? { onChange } : {}) }
  const besides = counted(entered)
  const isTooLong = value.length > MAX_PASTED
  return (
    <Flex vertical gap={8}>
      {entered.audienceBy === 'NUMBERS' && <NumbersInput screen={screen} {...pasted} />}
      {isTooLong && <Typography.Text type="danger">{say('too-big', { max: MAX_AUDIENCE })}</Typography.Text>}
      {besides && entered.audienceBy && !isTooLong && (
        <ReachOf screen={screen} asked={{ ...audienceOf(entered), numbers: value, ...besides }} told={told} />
      )}
    </Flex>
  )
}

const audienceOf = (entered: Entered) => ({
  audienceBy: entered.audienceBy,
  ...(entered.audienceBy === 'NUMBERS' ? NOTHING_IN_COMMON : inCommonOf(entered)),
})

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
