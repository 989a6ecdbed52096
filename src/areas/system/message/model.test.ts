import { expect, test } from 'vitest'
import { choicesOf } from '#kit/model/field.ts'
import { locale } from './locale.ts'
import { type Message, resource, whyNotReceived } from './model.ts'

const shape = resource.record.shape
const statuses = choicesOf(shape.status) as Message['status'][]
const causes = [null, ...(choicesOf(shape.cause) as NonNullable<Message['cause']>[])]
const base = { sentAt: null, endedAt: null, scheduledAt: null, stateSince: '2026-03-10T02:00:00.000Z', result: '' }

test('whatever became of a message, there are words for why somebody may not have it', () => {
  const texts: Readonly<Record<string, string>> = locale['en-US']
  for (const status of statuses)
    for (const cause of causes)
      for (const channel of choicesOf(shape.channel) as Message['channel'][])
        for (const kind of choicesOf(shape.kind) as Message['kind'][]) {
          const { code, params = {} } = whyNotReceived({ ...base, status, cause, channel, kind } as Message)
          const holes = [...(texts[code] ?? '{missing}').matchAll(/\{(\w+)\}/g)].map(match => match[1] as string)
          expect(Object.keys(params), `${code} of ${status}`).toEqual(expect.arrayContaining(holes))
        }
})
