import { useState } from 'react'
import { isPersonal, readTyped } from '#kit/model/typed.ts'

const TYPING_MS = 250
/** A search by phone is counted and logged: not before somebody has typed the whole of it. */
const TYPING_PHONE_MS = 800

/** How long a search waits for the next key. */
export const pauseAfter = (text: string): number => (isPersonal(readTyped(text)) ? TYPING_PHONE_MS : TYPING_MS)

/** What was typed to search by, once somebody pauses; what hears the keys; and whether something else stands in the box by now. */
export function useTyped(): [string, (text: string) => void, boolean] {
  const [typed, setTyped] = useState('')
  const [entered, setEntered] = useState('')
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  const search = (text: string) => {
    clearTimeout(timer)
    setEntered(text.trim())
    setTimer(setTimeout(() => setTyped(text.trim()), text === '' ? 0 : pauseAfter(text)))
  }
  return [typed, search, entered !== typed]
}
