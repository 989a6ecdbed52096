import { createContext, use } from 'react'
import type { FIELD_TEXTS } from '#areas/members/work/field-texts.model.ts'
import { resource } from '#areas/members/work/model.ts'
import type { Locale } from '#kit/model/language.ts'
import { useTexts } from '#kit/page/language.ts'

/** The screen whose desk this is: that of pictures unless somebody says otherwise. */
export const DeskScreen = createContext(resource.screen)
export const useDeskScreen = () => use(DeskScreen)

type Words = Locale<keyof (typeof FIELD_TEXTS)['zh-CN'] | 'title'>

/** What the screen calls itself, and the fields of its works. */
export const useScreenTexts = () => useTexts<Words>(useDeskScreen().name)
