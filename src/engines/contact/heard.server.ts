import { defineAnnouncement } from '#kit/server/change/announce.ts'

/** The platform told that a colleague has a new contact; told again, it is none. */
type ContactAdded = { readonly staffId: string; readonly contactId: string; readonly at: Date }
export const contactAdded = defineAnnouncement<ContactAdded>('contact-added')
