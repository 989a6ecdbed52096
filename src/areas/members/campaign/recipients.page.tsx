import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, Typography } from 'antd'
import { useDeferredValue, useRef } from 'react'
import { MAX_PASTED } from '#engines/audience/model.ts'
import { formatFen } from '#kit/model/money.ts'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Campaign, type Reach, resource } from './model.ts'

type Pasted = { id?: string; value?: string; onChange?: (numbers: string) => void }
type Values = Partial<
  Pick<Campaign, 'audienceBy' | 'templateId' | 'filled' | 'levels' | 'channels' | 'tags' | 'ofOwnerId'>
>

/** Whom it goes to: numbers somebody pastes or opens from a file, or those the filter finds; and how many that are. */
export function RecipientsInput({ id, value = '', onChange }: Pasted) {
  const values: Values = Form.useWatch([], Form.useFormInstance()) ?? {}
  return (
    <Flex vertical gap={8}>
      {values.audienceBy === 'NUMBERS' && (
        <Numbers value={value} {...(id === undefined ? {} : { id })} {...(onChange ? { onChange } : {})} />
      )}
      <ReachOf values={values} numbers={value} />
    </Flex>
  )
}

function Numbers({ id, value, onChange }: Pasted) {
  const say = useTexts<typeof locale>(resource.screen.name)
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

const NONE: readonly string[] = []

/** Counted while it is being entered; the same is counted again when it is written. */
function ReachOf({ values, numbers }: { values: Values; numbers: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { templateId, audienceBy, filled = [], levels = NONE, channels = NONE, tags = NONE, ofOwnerId = null } = values
  const asked = useDeferredValue({ templateId, audienceBy, filled, levels, channels, tags, ofOwnerId, numbers })
  const { data, error, isFetching } = useQuery({
    queryKey: [resource.screen.name, 'reach', asked],
    queryFn: ({ signal }) => post<Reach>(`/${resource.screen.name}/reach`, asked, { signal }),
    enabled: asked.templateId !== undefined && asked.audienceBy !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })
  if (error) return <Typography.Text type="secondary">{error.message}</Typography.Text>
  if (!data) return null
  const left = (['noConsent', 'optedOut', 'lately', 'strangers', 'repeated', 'invalid'] as const).filter(
    why => data[why] > 0,
  )
  return (
    <div aria-live="polite" style={{ opacity: isFetching ? 0.6 : 1 }}>
      <Typography.Text strong>{say('reach', { count: data.toSend, cost: formatFen(data.costFen) })}</Typography.Text>
      {left.map(why => (
        <div key={why} className="inkstone-note">
          {say(`left.${why}`, { count: data[why] })}
        </div>
      ))}
      {data.needsApproval && <div className="inkstone-note">{say('reach-needs-approval')}</div>}
    </div>
  )
}
