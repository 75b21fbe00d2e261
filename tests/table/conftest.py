"""A log and two processes that share it."""

import pytest

from service.table import Tables
from tests.table.clockwork import Clockwork
from tests.table.faulty_log import FaultyLog
from tests.table.playing import replica


@pytest.fixture
def log() -> FaultyLog:
    return FaultyLog()


@pytest.fixture
def tables(log: FaultyLog) -> Tables:
    return replica(log)


@pytest.fixture
def others(log: FaultyLog) -> Tables:
    """Another process at the same log."""
    return replica(log)


@pytest.fixture
def here(log: FaultyLog) -> Clockwork:
    """A process whose time is set by hand."""
    return Clockwork(log)


@pytest.fixture
def there(log: FaultyLog) -> Clockwork:
    """Another one at the same log."""
    return Clockwork(log)
