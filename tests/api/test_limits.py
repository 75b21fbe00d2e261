import pytest

from service.api.errors import Failure
from service.api.limits import Buckets


@pytest.mark.parametrize("a_second", [0.1, 0.3, 0.7])
def test_a_burst_of_one_lets_one_command_through(a_second: float) -> None:
    buckets = Buckets(a_second, 1)
    for caller in map(str, range(100)):
        buckets.take(caller)
        with pytest.raises(Failure):
            buckets.take(caller)
