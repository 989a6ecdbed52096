import { beforeAll, describe, expect, test } from 'vitest'
import { readStories } from '../src/demo/story.server.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { person, type TestInstance } from './testing/instance.ts'

let instance: TestInstance
beforeAll(async () => {
  instance = await openDemoInstance()
})

describe('the demo business', () => {
  test('has something in every list', async () => {
    const admin = await person(instance, { superAdmin: true })
    const empty: string[] = []
    for (const { resource } of instance.catalogue.slices) {
      if (!resource) continue
      const { data } = await admin.get<{ total: number }>(`/${resource.screen.name}`)
      if (!(data.total > 0)) empty.push(resource.screen.name)
    }
    expect(empty).toEqual([])
  })

  test('gives every page to a role, so that its demo account shows it', async () => {
    const stories = await readStories(instance.catalogue)
    const pages = instance.catalogue.screens.filter(({ key }) => key !== null)
    const held = stories.filter(({ holds }) => holds !== undefined).map(({ name }) => name)
    expect(pages.map(({ name }) => name).filter(name => !held.includes(name))).toEqual([])
  })

  test('tells of an area after those it depends on', async () => {
    const told = (await readStories(instance.catalogue)).map(({ name }) => name.split('/')[0] as string)
    const early = instance.catalogue.areas.flatMap(({ name, dependsOn }) =>
      told.includes(name) ? dependsOn.filter(other => told.lastIndexOf(other) > told.indexOf(name)) : [],
    )
    expect(early).toEqual([])
  })
})
