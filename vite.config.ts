import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { moduleSizes, onlyWhatIsNeeded, refuseServerCode, textBundles } from './tools/vite-plugins.ts'

/** Parts of antd that the frame and a plain list show at once; the others stay with the screens that use them. */
const OFFICE =
  /antd\/es\/(app|button|checkbox|dropdown|empty|grid|input|menu|pagination|popover|select|space|table|tooltip|watermark)\/|@tanstack\/|\/zod\//

export default defineConfig({
  plugins: [react(), refuseServerCode(), textBundles(), onlyWhatIsNeeded(), moduleSizes()],
  build: {
    outDir: 'dist/console',
    target: 'es2023',
    // Sizes are judged by `npm test`, gzipped and per page, not by one chunk.
    chunkSizeWarningLimit: 1_200,
    manifest: true,
    // Fifty small chunks compress worse than two: what every visit needs, and what every signed-in one needs.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules\/(react|react-dom|scheduler|react-router|zustand)\//, priority: 20 },
            { name: 'office', test: OFFICE, priority: 10 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'ws://127.0.0.1:8000', ws: true } } },
})
