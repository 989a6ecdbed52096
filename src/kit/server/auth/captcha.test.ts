import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import { CAPTCHA_ALPHABET, drawCaptcha } from './captcha-image.ts'

const inkOf = (png: Buffer): Buffer => {
  let pixels = Buffer.alloc(0)
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      pixels = inflateSync(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return pixels
}

describe('the picture', () => {
  test('is a PNG of 240 by 80 with ink on it', () => {
    const png = drawCaptcha('A7KX')
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([240, 80])
    const pixels = inkOf(png)
    expect(pixels.length).toBe(241 * 80)
    expect(pixels.filter(ink => ink > 200).length).toBeGreaterThan(500)
  })

  test('every sign a setting may ask for can be drawn, and no two look the same', () => {
    const signs = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
    const drawn = signs.map(sign => inkOf(drawCaptcha(sign, () => 0.5)).toString('latin1'))
    expect(new Set(drawn).size).toBe(signs.length)
    expect(drawCaptcha('abcdefghij').length).toBeGreaterThan(1_000)
  })

  test('of signs that are taken for each other one at most is asked for', () => {
    const pairs = ['0O', '0D', 'OQ', '1I', '1L', 'IL', '2Z', '5S', '8B', '6G', 'CG']
    expect(pairs.filter(pair => [...pair].every(sign => CAPTCHA_ALPHABET.includes(sign)))).toEqual([])
  })
})

describe('a captcha', () => {
  let instance: TestInstance
  let account: string

  beforeAll(async () => {
    instance = await openTestInstance({ env: { CAPTCHA: 'on' } })
    account = (await employ(instance)).account
  })

  const ask = async () => {
    const { data } = await caller(instance).get<{ key: string; image: string }>('/auth/captcha')
    const { answer } = await instance.app.db.query
      .selectFrom('captcha')
      .select('answer')
      .where('key', '=', data.key)
      .executeTakeFirstOrThrow()
    return { ...data, answer }
  }

  test('is asked with a picture and a key, and the answer opens the door in any case of letters', async () => {
    const { key, image, answer } = await ask()
    expect(image).toMatch(/^data:image\/png;base64,/)
    expect(answer).toMatch(/^[a-z0-9]{4}$/)
    expect(await signIn(instance, account, { verKey: key, captcha: ` ${answer.toUpperCase()} ` })).toMatchObject({
      status: 200,
      code: 0,
    })
  })

  test('a wrong answer is told beside the field and uses the picture up', async () => {
    const { key, answer } = await ask()
    expect(await signIn(instance, account, { verKey: key, captcha: 'wrong' })).toMatchObject({
      status: 422,
      code: 4005,
      data: { fields: { captcha: 'The verification code is wrong or no longer valid' } },
      result: { isLogin: true },
    })
    expect(await signIn(instance, account, { verKey: key, captcha: answer })).toMatchObject({ code: 4005 })
  })

  test('a right answer works once', async () => {
    const { key, answer } = await ask()
    expect(await signIn(instance, account, { verKey: key, captcha: answer })).toMatchObject({ code: 0 })
    expect(await signIn(instance, account, { verKey: key, captcha: answer })).toMatchObject({ code: 4005 })
  })

  test('of twenty who send the same right answer at once, one gets in', async () => {
    const { key, answer } = await ask()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(instance, account, { verKey: key, captcha: answer })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  test('two minutes later it is void', async () => {
    const { key, answer } = await ask()
    instance.clock.forward(120_000)
    expect(await signIn(instance, account, { verKey: key, captcha: answer })).toMatchObject({ code: 4005 })
  })

  test('somebody who asks for thousands is refused, and somebody else is not', async () => {
    const from = (remoteAddress: string) => instance.http.inject({ url: '/api/auth/captcha', remoteAddress })
    const answers = await Promise.all(Array.from({ length: 300 }, () => from('10.9.9.9')))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100)
    expect(answers.find(({ statusCode }) => statusCode !== 200)?.json()).toMatchObject({ code: 4029 })
    expect((await from('10.9.9.8')).statusCode).toBe(200)
  })

  test('a key nobody gave out opens nothing', async () => {
    expect(await signIn(instance, account, { verKey: 'never-given', captcha: '' })).toMatchObject({ code: 4005 })
    expect(await signIn(instance, account, { verKey: 'a%00b', captcha: '' })).toMatchObject({ code: 4000 })
  })
})

describe('for demo data', () => {
  test('the answer can be fixed, and the picture shows it', async () => {
    const instance = await openTestInstance({ env: { CAPTCHA: 'fixed:INK8' } })
    const { account } = await employ(instance)
    expect(await signIn(instance, account, { captcha: 'ink8' })).toMatchObject({ code: 0 })
    expect(await signIn(instance, account, { captcha: 'ink9' })).toMatchObject({ code: 4005 })
  })

  test('it can be switched off', async () => {
    const instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
    const { account } = await employ(instance)
    expect(await signIn(instance, account, { verKey: '', captcha: '' })).toMatchObject({ code: 0 })
    expect((await caller(instance).get<{ captcha: boolean }>('/common/settings')).data.captcha).toBe(false)
  })
})
