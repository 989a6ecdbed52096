import { createRoot } from 'react-dom/client'
import { startConsole } from '#kit/page/shell/frame/start.tsx'

const ground = document.getElementById('console')
if (!ground) throw new Error('the page has no place for the console')
void startConsole(createRoot(ground))
