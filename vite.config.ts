import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkNamer } from './tools/chunks.ts'
import { textBundles } from './tools/text-bundles.ts'
import { moduleSizes, onlyWhatIsNeeded, refuseServerCode } from './tools/vite-plugins.ts'

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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules\/(react|react-dom|scheduler|react-router|zustand)\//, priority: 20 },
            { name: 'office', test: OFFICE, priority: 15 },
            // An icon for itself weighs less than the headers it comes with.
            { name: 'icons', test: /@ant-design\/icons(-svg)?\/es\//, minShareCount: 2, priority: 12 },
            {
              name: chunkNamer(import.meta.dirname),
              debugName: 'moments',
              includeDependenciesRecursively: false,
              priority: 10,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'ws://127.0.0.1:8000', ws: true } } },
})
