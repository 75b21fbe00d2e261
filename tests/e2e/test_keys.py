"""The operator's keys, from the environment to the front door."""

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.house.program import OPEN, SERVICE, free_port, running

SHOP_KEY = "a-key-that-only-the-shop-has-0001"
AUDITOR_KEY = "a-key-that-only-the-auditor-has-1"
TABLES = "/v1/double-tricks/tables"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    data, listen = tmp_path_factory.mktemp("keys") / "data", f"127.0.0.1:{free_port()}"
    keys = {"api_keys": f"shop:{SHOP_KEY}", "auditor_keys": f"auditor:{AUDITOR_KEY}"}
    with running(module=SERVICE, data=data, listen=listen, **keys) as house:
        house.says(OPEN)
        with httpx.Client(base_url=f"http://{listen}", timeout=20) as client:
            yield client


def create(web: httpx.Client, key: str | None) -> httpx.Response:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return web.post(TABLES, json={"commandId": str(uuid.uuid4()), "seats": [{}, {}]}, headers=headers)


def test_creating_a_table_needs_the_key_of_a_creator(web: httpx.Client) -> None:
    assert create(web, None).status_code == 401
    assert create(web, "shop").status_code == 401, "a key's name is no key"
    assert create(web, AUDITOR_KEY).status_code == 403
    assert create(web, SHOP_KEY).status_code == 200


def test_the_auditor_reads_a_log_that_others_do_not(web: httpx.Client) -> None:
    log = f"/v1/tables/{create(web, SHOP_KEY).json()['tableId']}/log"
    assert web.get(log).status_code == 404
    assert web.get(log, headers={"authorization": f"Bearer {SHOP_KEY}"}).status_code == 404
    assert web.get(log, headers={"authorization": f"Bearer {AUDITOR_KEY}"}).json()["version"] == 2
