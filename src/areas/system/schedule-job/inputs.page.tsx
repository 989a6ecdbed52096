import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, InputNumber, Typography } from 'antd'
import { useDeferredValue } from 'react'
import { formatInstant } from '#kit/model/time.ts'
import { post } from '#kit/page/call.ts'
import { WHOLE } from '#kit/page/figures.ts'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type DeclaredParameter, type Parameter, type Preview, resource } from './model.ts'

type CronProps = { id?: string; value?: string; onChange?(cron: string): void }

/** The schedule as it is written, and below it what the server makes of it: words, and the next times. */
export function CronInput({ id, value = '', onChange }: CronProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const usual = Form.useFormInstance().getFieldValue('declaredCron') as string | undefined
  return (
    <Flex vertical gap={4}>
      <Flex gap={8}>
        <Input
          {...(id === undefined ? {} : { id })}
          className="inkstone-figure"
          value={value}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          onChange={event => onChange?.(event.target.value)}
        />
        {usual !== undefined && usual !== value && (
          <Button onClick={() => onChange?.(usual)}>{say('reset-cron')}</Button>
        )}
      </Flex>
      <Meaning cron={value.trim()} />
    </Flex>
  )
}

function Meaning({ cron: typed }: { cron: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const language = useLanguage()
  const cron = useDeferredValue(typed)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'preview', cron, language],
    queryFn: ({ signal }) => post<Preview>(`/${resource.screen.name}/preview`, { cron }, { signal }),
    enabled: cron !== '',
    placeholderData: before => before,
  })
  if (!data || cron === '') return null
  if (data.reading === null)
    return (
      <Typography.Text type="danger" role="status">
        {say('preview-wrong')}
      </Typography.Text>
    )
  const times = data.nextRuns.map(at => formatInstant(new Date(at))).join(' · ')
  return (
    <div role="status">
      <Typography.Text strong>{data.reading}</Typography.Text>
      <br />
      <Typography.Text type="secondary">{say('preview-next', { times })}</Typography.Text>
    </div>
  )
}

type ParametersProps = { value?: readonly Parameter[]; onChange?(parameters: Parameter[]): void }

/** A number for each parameter the code declares, within its bounds. */
export function ParametersInput({ value = [], onChange }: ParametersProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const declared = (Form.useFormInstance().getFieldValue('declared') as DeclaredParameter[] | undefined) ?? []
  if (declared.length === 0) return <Typography.Text type="secondary">{say('no-parameters')}</Typography.Text>
  const set = new Map(value.map(parameter => [parameter.name, parameter.value]))
  const change = (name: string, entered: number | null) =>
    onChange?.(
      declared.flatMap(parameter => {
        const next = parameter.name === name ? entered : (set.get(parameter.name) ?? parameter.default)
        return next === null ? [] : [{ name: parameter.name, value: next }]
      }),
    )
  return (
    <Flex vertical gap={8}>
      {declared.map(({ name, label, unit, min, max, default: usual }) => (
        <Flex key={name} gap={8} wrap align="center">
          <span>{label}</span>
          <InputNumber
            aria-label={label}
            value={set.get(name) ?? null}
            min={min}
            max={max}
            {...WHOLE}
            placeholder={String(usual)}
            onChange={entered => change(name, entered)}
          />
          <Typography.Text type="secondary">
            {unit === 'days'
              ? say('parameter-bounds', {
                  min,
                  max: say('in.days', { count: max }),
                  usual: say('in.days', { count: usual }),
                })
              : say('parameter-bounds', { min, max, usual })}
          </Typography.Text>
        </Flex>
      ))}
    </Flex>
  )
}
