import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerCalls } from '../../../../../tools/testing/page.tsx'
import { switchLanguage } from '../../language.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { tellMessages } from './message.ts'

const said: Announcement[] = []
let silence = () => {}
beforeEach(async () => {
  await switchLanguage('en-US')
  silence = hear(announcement => said.push(announcement))
})
afterEach(() => silence())

test('a message to this person is shown once, and is read when its reader says so', async () => {
  const read: string[] = []
  answerCalls({
    'GET /api/system/message/own': () => [
      { id: '8', title: 'second', body: 'b', createdAt: '' },
      { id: '7', title: 'first', body: 'a', createdAt: '' },
    ],
    'POST /api/system/message/own/7/read': () => {
      read.push('7')
      return null
    },
  })
  await tellMessages()
  await tellMessages()
  expect(said.map(({ title }) => title)).toEqual(['first', 'second'])
  said[0]?.actions?.[0]?.run()
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(read).toEqual(['7'])
})
