import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { SECRETS } from '../src/kit/server/process/env.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const written = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory()
      ? written(join(folder, entry.name))
      : entry.name.endsWith('.md')
        ? [join(folder, entry.name)]
        : [],
  )
const documents = ['README.md', ...written('docs')].map(path => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}))

describe('the documents', () => {
  test('lead to what exists', () => {
    const dead = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)]
        .filter(([, link]) => !existsSync(join(ROOT, dirname(path), link as string)))
        .map(([, link]) => `${path}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  test('name files that exist', () => {
    const gone = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|tools|e2e|bench|migrations|docs|\.ci)\/[\w./-]*\w)`/g)]
        .filter(([, name]) => !existsSync(join(ROOT, name as string)))
        .map(([, name]) => `${path}: ${name}`),
    )
    expect(gone).toEqual([])
  })

  test('name commands that exist', () => {
    const unknown = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([\w:-]+)/g)]
        .filter(([, name]) => !((name as string) in scripts))
        .map(([, name]) => `${path}: npm run ${name}`),
    )
    expect(unknown).toEqual([])
  })

  test('name every setting that is a secret, and no other as one', () => {
    const { text = '' } = documents.find(({ path }) => path === 'docs/security.md') ?? {}
    const [, told = ''] = /shows only that they are set: ([^.]+)\. A backup/.exec(text) ?? []
    expect(told.match(/[A-Z][A-Z0-9_]+/g)).toEqual(SECRETS)
  })

  test('the README fits on one screen and begins with the two commands', () => {
    const readme = documents[0]?.text ?? ''
    expect(readme.split('\n').length).toBeLessThanOrEqual(45)
    expect(readme.indexOf('npm start')).toBeLessThan(readme.indexOf('npm test'))
    expect(readme.indexOf('npm test')).toBeLessThan(readme.indexOf('npm run'))
  })

  test('.ci/run runs the same tests as a person does', () => {
    expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toMatch(/^#!\/usr\/bin\/env bash\n[\s\S]*\nexec npm test\n$/)
  })
})
