import { expect, inject, test } from 'vitest'
import { schemaSql } from '../../../../tools/schema-sql.ts'
import { emptyDatabase } from '../../../../tools/testing/instance.ts'
import { migrate, migrationNames } from './migrate.ts'

test('migrations give the same schema in one go and file by file', async () => {
  const empty = await emptyDatabase()
  const names = await migrationNames()
  for (let count = 1; count <= names.length; count += 1) await migrate(empty.url, names.slice(0, count))
  expect(await schemaSql(empty.url)).toBe(await schemaSql(inject('templateUrl')))
  await empty.drop()
})
