import { defineQuestion } from '../change/question.ts'
import type { StoredFile } from '../storage/file.ts'

export type Shown = { readonly page: string; readonly recordId: string }

/** Records besides its own that a file is shown with, by the pages they are seen on: whoever sees one of them opens it. */
export const shownWith = defineQuestion<StoredFile, readonly Shown[]>('file-shown-with')
