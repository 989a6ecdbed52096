import { createContext, use } from 'react'
import { resource } from './model.ts'

/** The screen whose desk this is: that of pictures unless somebody says otherwise. */
export const DeskScreen = createContext(resource.screen)
export const useDeskScreen = () => use(DeskScreen)
