import { loadTexts } from './language.ts'

let words: Promise<void> | undefined
const loadWords = () =>
  (words ??= loadTexts('kit/page/form').catch(error => {
    words = undefined
    throw error
  }))

const withWords = async <T>(part: Promise<T>): Promise<T> => (await Promise.all([part, loadWords()]))[0]

/** Forms and their words come when the list stands, or with the first question: nobody waits for them to read rows. */
export const loadForms = () => withWords(import('./form/form-drawer.tsx'))
export const loadStepFields = () => withWords(import('./form/step-fields.tsx'))
