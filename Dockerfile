# The image of the command. Build it from the packed packages:
#
#   npm ci && npm run pack
#   docker build --tag callsheet .
#
# `docker buildx build --platform linux/amd64,linux/arm64` builds it for both. `scripts/image-root.mjs` builds the same
# files without Docker, by the instructions below.

ARG NODE=22
ARG DEBIAN=bookworm

# The packages are the same on every platform, so that nothing needs to be emulated.
FROM --platform=$BUILDPLATFORM node:${NODE}-${DEBIAN}-slim AS packages
WORKDIR /opt/callsheet
COPY dist-packages/ /tmp/packages/
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier /tmp/packages/callsheet-*.tgz

FROM node:${NODE}-${DEBIAN}-slim AS node

FROM debian:${DEBIAN}-slim
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /opt/callsheet/ /opt/callsheet/
ENV PATH=/opt/callsheet/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
USER 1000:1000
WORKDIR /project
ENTRYPOINT ["callsheet"]
