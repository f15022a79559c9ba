# syntax=docker/dockerfile:1
# The image of the bot. docs/hosting.md says how to run it. scripts/image.ts carries out every step without Docker.

# Dependabot keeps the digests up to date.
# The first stages run on the architecture of the building machine. The last one runs nothing, so no emulation is needed.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS site
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install scripts.
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/site.ts

FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
COPY --from=site /app/build/site build/site
RUN node bin/prepare.js && mkdir /data

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Letter Boxed bot" \
  org.opencontainers.image.description="Letter Boxed for Discord and Slack: every board solved, and a daily thread of hints" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
# The health pages have to listen on every interface of the container.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# By default, glibc keeps the memory of worker threads that have ended.
ENV MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app /app
COPY --from=build --chown=node:node /data /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "bin/health.js"]
# Node is the first process, so that it receives SIGTERM itself; npm would stand between.
CMD ["node", "bin/start.js"]
