/** Questions, small windows and long texts tell no tab of what is typed into them. */
const TYPED =
  'textarea:not([aria-hidden], [readonly]), .ant-modal input:not([type="checkbox"], [type="radio"], [type="file"]), .ant-popover input:not([type="checkbox"])'

let isUnsaved = false
/** Told by the tabs, of all forms in them. */
export const noteUnsaved = (unsaved: boolean): void => {
  isUnsaved = unsaved
}

/** Whether something was typed that would be lost with the document: in a form of any tab, or in a question. */
export const holdsInput = (): boolean =>
  isUnsaved ||
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TYPED)].some(({ value }) => value.trim() !== '')
