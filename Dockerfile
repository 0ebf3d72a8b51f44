# The registry, without the tools of its development.
FROM node:24.21.0-bookworm-slim AS sources
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE README.md ./
COPY config config
COPY log log
COPY actors actors
COPY docs docs
COPY src src

# The program and its packages in a few files, which start sooner.
FROM sources AS bundled
RUN npm ci && npm run bundle

FROM sources
# Node is the one of the image.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY --from=bundled /app/dist dist

# Everything the registry keeps is in this one folder.
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=3000
# Two arenas: with one for each thread, the allocator keeps a good deal of what was freed.
ENV MALLOC_ARENA_MAX=2
# Compiled modules, for a start takes half as long with them; nothing is lost with it.
ENV NODE_COMPILE_CACHE=/var/cache/arklog
RUN mkdir -m 0700 /data /var/cache/arklog && chown node:node /data /var/cache/arklog
VOLUME /data

USER node
EXPOSE 3000
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "src/main.ts", "serve"]
