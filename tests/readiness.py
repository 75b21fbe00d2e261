"""Whether a service is ready, asked as Envoy and Kubernetes ask."""

from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

READINESS = health_pb2.HealthCheckRequest(service="stammtisch.table.v1.TableService")
HEALTH_SECONDS = 1.0


async def serves(channel: grpc.aio.Channel) -> bool:
    """Tell whether the service at the other end of a channel can serve."""
    try:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(READINESS, timeout=HEALTH_SECONDS)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
