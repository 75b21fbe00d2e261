"""The front door: Envoy, and its configuration rendered from the template, the settings and the descriptors."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from string import Template
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from service.config import Config
from service.house.binary import binary
from service.house.child import Child, started
from service.setting import Address

FILES = Path(__file__).parent.parent.parent / "deploy" / "envoy"
READY_SECONDS = 30.0
ANSWER_SECONDS = 1.0
CALL_MARGIN = 5  # seconds that a call may take beyond the longest wait it can ask for
THIS_MACHINE = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?"


def rendered(config: Config, files: str) -> str:
    """Return Envoy's configuration; `files` is where Envoy will find what lies beside the template."""
    unix = any(address.path for address in config.grpc_upstreams)
    values: dict[str, Any] = {
        "listen": _envoy_address(config.listen),
        "files": files,
        "services": _services(),
        "origins": [{"exact": origin} for origin in config.cors_origins] or [{"safe_regex": {"regex": THIS_MACHINE}}],
        "discovery": "STATIC" if unix else "STRICT_DNS",  # Envoy resolves names, but takes no socket, under STRICT_DNS
        "endpoints": [{"endpoint": {"address": _envoy_address(address)}} for address in config.grpc_upstreams],
        "requests_per_second": config.requests_per_second,
        "requests_burst": config.requests_burst,
        "message_bytes": config.message_bytes,
        "call_seconds": round(config.wait_seconds) + CALL_MARGIN,
    }
    template = Template((FILES / "envoy.template.yaml").read_text())
    return template.substitute(
        {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    )


@asynccontextmanager
async def front_door(config: Config, lock: int) -> AsyncIterator[Child]:
    """Run Envoy before the service, which must be serving already."""
    path = config.run / "envoy.yaml"
    path.write_text(rendered(config, str(FILES)))
    program: tuple[str | Path, ...] = (binary("envoy", "_bin/envoy"), *OPTIONS, "--config-path", path)
    async with started("Envoy", program, config.data / "envoy.log", lock=lock, directory=config.run) as child:
        await child.until(lambda: _ready(config.listen), READY_SECONDS)
        yield child


OPTIONS: Sequence[str] = ("--concurrency", "1", "--disable-hot-restart", "--log-level", "warning")


def _services() -> list[str]:
    """Return the services in the descriptor set that have REST paths: all of ours."""
    descriptors = FileDescriptorSet.FromString((FILES / "api.binpb").read_bytes())
    return [f"{file.package}.{service.name}" for file in descriptors.file for service in file.service]


def _envoy_address(address: Address) -> dict[str, Any]:
    if address.path:
        return {"pipe": {"path": address.path}}
    return {"socket_address": {"address": address.host, "port_value": address.port}}


async def _ready(listen: Address) -> bool:
    """Ask /readyz as any load balancer would."""
    host = re.sub(r"^(0\.0\.0\.0|::)$", "localhost", listen.host)
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection(host, listen.port)
            writer.write(b"GET /readyz HTTP/1.1\r\nhost: house\r\nconnection: close\r\n\r\n")
            answer = await reader.readline()
            writer.close()
    except (OSError, TimeoutError):
        return False
    return answer.startswith(b"HTTP/1.1 200")
