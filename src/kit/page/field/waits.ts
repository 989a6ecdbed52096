import { lazy } from 'react'
import { loadTexts } from '../language.ts'

// With the first state that waits for somebody; the texts come along.
const load = async () => (await Promise.all([import('./waiting.tsx'), loadTexts('kit/page/field')]))[0]
export const WaitingLine = lazy(async () => ({ default: (await load()).WaitingLine }))
export const Age = lazy(async () => ({ default: (await load()).Age }))
