"""An open house."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.house import House, house


@pytest.fixture
def socket(tmp_path: Path) -> Path:
    return tmp_path / "grpc"


@pytest.fixture
async def home(socket: Path) -> AsyncIterator[House]:
    async with house(socket) as opened:
        yield opened
