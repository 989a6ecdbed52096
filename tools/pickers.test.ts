import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { reference } from '../src/kit/model/field.ts'
import { readCatalogue } from '../src/kit/server/catalogue.ts'
import { type Route, route } from '../src/kit/server/http/route.ts'
import { closedPickers } from './pickers.ts'

/** What is said when the page of dictionaries chooses one of these, and its calls are these. */
const said = async (picker: string, calls: readonly Route[] = []) =>
  closedPickers(await readCatalogue(), calls, ({ name }) => (name === 'system/dictionary' ? [picker] : []))

describe('a picker', () => {
  test('of records no slice declares is named', async () => {
    expect(await said('ghost')).toEqual(['system/dictionary: chooses a ghost, which no slice declares'])
  })

  test('that is refused to whoever holds its page alone is named', async () => {
    expect(await said('member')).toEqual([
      'system/dictionary: chooses a member, which neither a filter nor a call of the page takes: nobody may ask for one there',
    ])
  })

  test('of what a call of its page takes may stand', async () => {
    const taken = route({
      method: 'POST',
      path: '/try',
      access: { page: 'dictionary', action: 'edit' },
      body: z.strictObject({ memberId: reference('member') }),
      answer: z.null(),
      summary: 'Takes a member.',
      handle: async () => null,
    })
    expect(await said('member', [taken])).toEqual([])
  })
})
