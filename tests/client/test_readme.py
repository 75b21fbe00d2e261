import re
from pathlib import Path
from typing import Any

import pytest

from tests.client.served import serving

README = Path(__file__).parent.parent.parent / "clients" / "python" / "README.md"


async def test_the_example_of_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    async with serving() as served:
        written: dict[str, Any] = {}
        code = example.replace("127.0.0.1:8080", served.address).removesuffix("asyncio.run(main())\n")
        exec(code, written)
        await written["main"]()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[1] == "snapshot"
    assert lines[-1].endswith("step []")
