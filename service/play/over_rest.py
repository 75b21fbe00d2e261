"""Playing over REST, with HTTP and JSON alone: seats ask for the next view and act on it."""

import importlib
import uuid
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import grpc
import httpx
from google.protobuf import json_format
from google.rpc import status_pb2
from stammtisch import Patience, Refused, StammtischError, TableEnded, Unavailable
from stammtisch.errors import from_status
from stammtisch.patience import OnRetry, Tries
from stammtisch.table.v1.service_pb2 import GameInfo, ListGamesResponse

from service.play.door import BOTS_THINK_SECONDS, Beaten, Place, Sight, Wanted

WAIT_SECONDS = 20
CALL_SECONDS = 30  # longer than a view is waited for


class Http:
    """Requests, sent again as long as that may help."""

    def __init__(self, client: httpx.AsyncClient, on_retry: OnRetry) -> None:
        self._client = client
        self._on_retry = on_retry

    async def json(self, method: str, path: str, token: str | None = None, **parts: Any) -> Any:
        """Return the answer."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        tries = Tries(Patience(), self._on_retry)
        while True:
            try:
                response = await self._client.request(method, path, headers=headers, **parts)
                if response.is_success:
                    return response.json()
                error = _error(response)
            except httpx.TransportError as broken:
                error = Unavailable(grpc.StatusCode.UNAVAILABLE, "", str(broken) or type(broken).__name__)
            await tries.pause(error)


def _error(response: httpx.Response) -> StammtischError:
    try:
        return from_status(json_format.ParseDict(response.json(), status_pb2.Status()))
    except (ValueError, json_format.ParseError):
        kind = Unavailable if response.is_server_error else StammtischError
        return kind(grpc.StatusCode.UNKNOWN, "", f"{response.status_code}: {response.text}")


class RestSeat:
    """One seat."""

    def __init__(self, http: Http, path: str, number: int, token: str) -> None:
        self._http = http
        self._path = path
        self._number = number
        self._token = token

    async def sights(self) -> AsyncGenerator[Sight, None]:
        """Return the table as it is, and then whenever something has happened."""
        version = 0
        while True:
            parameters = {"min_version": version + 1, "wait": f"{WAIT_SECONDS}s"}
            sight = self._sight(await self._http.json("GET", self._path, self._token, params=parameters))
            if sight.version > version:
                version = sight.version
                yield sight

    def kind(self, command: Any) -> str:
        """Return of which kind a command is, as it was listed in a sight."""
        (kind,) = command
        return str(kind)

    async def act(self, command: Any) -> Sight:
        """Give a command as it was listed in a sight, or raise Beaten."""
        ((name, body),) = command.items()
        parameters = {"command_id": str(uuid.uuid4())}
        try:
            reply = await self._http.json("POST", f"{self._path}:{name}", self._token, params=parameters, json=body)
        except Refused as refused:
            raise Beaten(refused.sentence, refused.refusal.version) from refused
        except TableEnded as ended:
            raise Beaten(ended.sentence, None) from ended
        return self._sight(reply)

    def _sight(self, reply: Any) -> Sight:
        table = reply["table"]
        return Sight(
            reply["version"],
            table["status"] != "STATUS_RUNNING",
            reply.get("legal", ()) if self._number in table.get("seatsToAct", ()) else (),
            [Place(line["seat"], line["rank"], line.get("score", 0)) for line in table.get("standings", ())],
        )


class RestTable:
    """One table with all its seats."""

    def __init__(self, http: Http, path: str, created: Any) -> None:
        self._http = http
        self._admin_token = created["adminToken"]
        self.table_id = created["tableId"]
        tokens = sorted((entry["seat"], entry["token"]) for entry in created["seatTokens"])
        self.seats = [RestSeat(http, f"{path}/{self.table_id}", number, token) for number, token in tokens]

    async def close(self) -> None:
        """End the table before its game does."""
        body = {"commandId": str(uuid.uuid4())}
        await self._http.json("POST", f"/v1/tables/{self.table_id}:close", self._admin_token, json=body)


class RestDoor:
    """The API over REST."""

    def __init__(self, http: Http, key: str | None) -> None:
        self._http = http
        self._key = key

    async def games(self) -> Sequence[GameInfo]:
        """Return the games that can be played."""
        answer = await self._http.json("GET", "/v1/games")
        return json_format.ParseDict(answer, ListGamesResponse()).games

    async def create(self, game: GameInfo, wanted: Wanted) -> RestTable:
        """Create a table."""
        importlib.import_module(f"stammtisch.{game.game}.v1.{game.game}_pb2")  # what a refusal brings is of its types
        body = {
            "commandId": str(uuid.uuid4()),
            "seats": wanted.new_seats(),
            "options": dict(wanted.options),
            "spectators": True,
            "terms": {"thinking": f"{BOTS_THINK_SECONDS}s"},
        }
        return RestTable(self._http, game.path, await self._http.json("POST", game.path, self._key, json=body))
