# Two images: `service` (the last stage by name, no browser) and `browser`.
#   docker build --target service -t chaffinch .
#   docker build --target browser -t chaffinch:browser .

FROM python:3.13-slim-bookworm AS build
SHELL ["/bin/sh", "-euc"]
RUN apt-get update \
  && apt-get install --yes --no-install-recommends gcc libc6-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY requirements/serve.txt requirements/serve.txt
RUN python -m venv /opt/chaffinch \
  && /opt/chaffinch/bin/pip install --no-cache-dir --require-hashes -r requirements/serve.txt
COPY pyproject.toml MANIFEST.in README.md LICENSE ./
COPY src src
RUN /opt/chaffinch/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim-bookworm AS service
COPY --from=build /opt/chaffinch /opt/chaffinch
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin chaffinch \
  && install --directory --owner=chaffinch --mode=0700 /data
ENV PATH=/opt/chaffinch/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/ready', timeout=4)"]
ENTRYPOINT ["chaffinch"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data", "--cache", "500"]

FROM service AS browser
USER 0
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-liberation fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
COPY requirements/serve-browser.txt /tmp/serve-browser.txt
RUN /opt/chaffinch/bin/pip install --no-cache-dir --require-hashes --no-deps -r /tmp/serve-browser.txt \
  && rm /tmp/serve-browser.txt
USER 10001
ENV HOME=/tmp
CMD ["serve", "--host", "0.0.0.0", "--data", "/data", "--cache", "500", "--render", "auto"]
