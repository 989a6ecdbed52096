import { afterAll } from 'vitest'
import { closeTestInstances } from './instance.ts'

afterAll(closeTestInstances)
