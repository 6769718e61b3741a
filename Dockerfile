# The server with everything it can use. Build: docker build -t bethink .
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN python -m venv /opt/bethink && /opt/bethink/bin/pip install --no-cache-dir '.[server,mcp,postgres,guards,agents,telemetry]'

FROM python:3.13-slim
RUN useradd --system --create-home --home-dir /var/lib/bethink bethink
COPY --from=build /opt/bethink /opt/bethink
ENV PATH=/opt/bethink/bin:$PATH PYTHONUNBUFFERED=1
USER bethink
WORKDIR /var/lib/bethink
VOLUME /var/lib/bethink
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/v1/readiness', timeout=4)"]
ENTRYPOINT ["bethink"]
# Without a file of keys the server does not start: nobody is let in by mistake.
CMD ["serve", "--host", "0.0.0.0", "--auth", "bearer", "--keys", "/var/lib/bethink/keys.json"]
