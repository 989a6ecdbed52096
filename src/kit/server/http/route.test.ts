import { expect, test } from 'vitest'
import * as z from 'zod'
import { route } from './route.ts'

test('the shape of a call is made when it is first asked for, and then kept', () => {
  let made = 0
  const declared = route({
    method: 'POST',
    path: '/x',
    access: 'session',
    body: () => {
      made += 1
      return z.strictObject({ n: z.int() })
    },
    answer: () => z.null(),
    summary: 'x',
    handle: async () => null,
  })
  expect(made).toBe(0)
  expect(declared.body).toBe(declared.body)
  expect(made).toBe(1)
  expect(declared).toMatchObject({ texts: 'kit', path: '/x', answer: expect.any(z.ZodNull) })
})
