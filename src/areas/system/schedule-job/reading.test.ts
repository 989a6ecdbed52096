import { beforeAll, describe, expect, test } from 'vitest'
import { parseCron } from '#kit/model/cron.ts'
import type { Language } from '#kit/model/language.ts'
import { openTexts, type Texts } from '#kit/server/text/texts.ts'
import { readingOf } from './reading.model.ts'

let texts: Texts
beforeAll(async () => {
  texts = await openTexts()
})
const read = (language: Language, written: string) => {
  const cron = parseCron(written)
  return cron && readingOf(cron, (key, params) => texts.text(language, 'system/schedule-job', key, params))
}

describe('a schedule in words', () => {
  test.each([
    ['* * * * * *', '每秒', 'Every second', 'A cada segundo'],
    ['*/30 * * * * *', '每 30 秒', 'Every 30 seconds', 'A cada 30 segundos'],
    ['* * * * *', '每分钟', 'Every minute', 'A cada minuto'],
    ['*/10 * * * *', '每 10 分钟', 'Every 10 minutes', 'A cada 10 minutos'],
    [
      '0 5/10 * * * *',
      '每 10 分钟 从第 5 分起',
      'Every 10 minutes, from minute 5',
      'A cada 10 minutos, a partir do minuto 5',
    ],
    ['45 */5 * * * *', '每 5 分钟 第 45 秒', 'Every 5 minutes, at second 45', 'A cada 5 minutos, no segundo 45'],
    ['15 * * * *', '每小时 第 15 分', 'Every hour, at minute 15', 'A cada hora, no minuto 15'],
    ['0 */6 * * *', '每 6 小时', 'Every 6 hours', 'A cada 6 horas'],
    ['0 30 3 * * *', '每天 03:30', 'Every day, at 03:30', 'Todos os dias, às 03:30'],
    [
      '0 9,18 * * 1-5',
      '每周一至周五 09:00、18:00',
      'Every Monday to Friday, at 09:00, 18:00',
      'Segunda-feira a sexta-feira, às 09:00, 18:00',
    ],
    ['0 1 1,15 * *', '每月 1、15 日 01:00', 'On day 1, 15 of the month, at 01:00', 'No dia 1, 15 do mês, às 01:00'],
    [
      '0 1 L 1,7 *',
      '1 月、7 月 每月最后一天 01:00',
      'In January, July, on the last day of the month, at 01:00',
      'Em janeiro, julho, no último dia do mês, às 01:00',
    ],
    [
      '0 1 1 * SUN',
      '每月 1 日，以及每周日 01:00',
      'On day 1 of the month and also every Sunday, at 01:00',
      'No dia 1 do mês e também domingo, às 01:00',
    ],
  ])('%s', (cron, chinese, english, portuguese) => {
    expect([read('zh-CN', cron), read('en-US', cron), read('pt-BR', cron)]).toEqual([chinese, english, portuguese])
  })

  test('traditional characters are derived from the simplified ones', () => {
    expect(read('zh-TW', '0 1 L * *')).toBe('每月最後一天 01:00')
  })

  test('steps that begin anew each hour are told by their minutes: every 7 minutes would be untrue', () => {
    expect(read('en-US', '*/7 * * * *')).toBe('Hours 0 to 23, minutes 0, 7, 14, 21, 28, 35, 42, 49, 56')
    expect(read('en-US', '*/30 8-20 * * *')).toBe('Hours 8 to 20, minutes 0, 30')
  })
})
