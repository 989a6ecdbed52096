import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import { unseal } from './captcha.ts'
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
    const answer = unseal(instance.app, data.key)?.answer ?? ''
    return { ...data, answer }
  }

  const stored = async () =>
    Number(
      (
        await instance.app.db.query
          .selectFrom('captcha')
          .select(eb => eb.fn.countAll<string>().as('all'))
          .executeTakeFirstOrThrow()
      ).all,
    )

  test('is asked with a picture and a key, and the answer opens the door in any case of letters', async () => {
    const { key, image, answer } = await ask()
    expect(image).toMatch(/^data:image\/png;base64,/)
    expect(answer).toMatch(/^[A-Z0-9]{4}$/)
    expect(key).not.toContain(answer)
    expect(await signIn(instance, account, { verKey: key, captcha: ` ${answer.toLowerCase()} ` })).toMatchObject({
      status: 200,
      code: 0,
    })
  })

  test('a wrong answer is told beside the field and uses the picture up', async () => {
    const { key, answer } = await ask()
    expect(await signIn(instance, account, { verKey: key, captcha: 'wrong' })).toMatchObject({
      status: 422,
      code: 4005,
      data: { fields: { captcha: 'The verification code is wrong or has expired' } },
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

  test('an office behind one address gets as many as it asks for, and nothing is stored for them', async () => {
    const before = await stored()
    const from = (remoteAddress: string) => instance.http.inject({ url: '/api/auth/captcha', remoteAddress })
    const answers = await Promise.all(Array.from({ length: 300 }, () => from('10.9.9.9')))
    expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([])
    expect(new Set(answers.map(answer => answer.json().data.key)).size).toBe(300)
    expect(await stored()).toBe(before)
    const key: string = answers[200]?.json().data.key
    const { answer } = unseal(instance.app, key) ?? {}
    expect(await signIn(instance, account, { verKey: key, captcha: answer ?? '', address: '10.9.9.9' })).toMatchObject({
      code: 0,
    })
    expect(await stored()).toBe(before + 1)
  })

  test('asked for by a script, few are drawn: the loop is there for people', async () => {
    // Of its own: pictures drawn before would be given again, and counted.
    const fresh = caller(await openTestInstance({ env: { CAPTCHA: 'on' } }))
    const images = new Set<string>()
    const begun = performance.now()
    for (let turn = 0; turn < 200; turn += 1)
      images.add((await fresh.get<{ image: string }>('/auth/captcha')).data.image)
    expect(images.size).toBeLessThanOrEqual(2 + (performance.now() - begun) / 50)
  })

  test('a key that was changed, or written in another way, opens nothing', async () => {
    const { key, answer } = await ask()
    const other = key.startsWith('A') ? `B${key.slice(1)}` : `A${key.slice(1)}`
    for (const verKey of [other, `${key}=`, `${key}%20`])
      expect(await signIn(instance, account, { verKey, captcha: answer })).toMatchObject({ code: 4005 })
    expect(await signIn(instance, account, { verKey: key, captcha: answer })).toMatchObject({ code: 0 })
  })

  test('a key nobody gave out opens nothing', async () => {
    expect(await signIn(instance, account, { verKey: 'never-given', captcha: '' })).toMatchObject({ code: 4005 })
    expect(await signIn(instance, account, { verKey: 'a%00b', captcha: '' })).toMatchObject({ code: 4005 })
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
