"""Game: a game's generated messages, and its service found by their package's name. Nothing is written per game."""

import importlib
from typing import Any, Protocol, TypeVar

from google.protobuf.descriptor import FileDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from stammtisch.table.v1 import service_pb2

View = TypeVar("View")
Command = TypeVar("Command", bound=Message)
Event = TypeVar("Event")
Options = TypeVar("Options", bound=Message)

TABLE_SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"].methods_by_name


class Game(Protocol[View, Command, Event, Options]):
    """A generated module such as `stammtisch.double_tricks.v1.double_tricks_pb2`."""

    DESCRIPTOR: FileDescriptor
    View: type[View]
    Command: type[Command]
    Event: type[Event]
    Options: type[Options]


class Service:
    """The service of one game."""

    def __init__(self, descriptor: FileDescriptor) -> None:
        module = importlib.import_module(f"{descriptor.package}.service_pb2")
        service: ServiceDescriptor
        (service,) = module.DESCRIPTOR.services_by_name.values()
        self._methods = service.methods_by_name
        self.game = descriptor.package.split(".")[1]  # as tables and logs name it

    def method(self, name: str) -> MethodDescriptor:
        """Return a method by its name."""
        return self._methods[name]

    def request(self, name: str, **fields: Any) -> Any:
        """Return a method's request."""
        return GetMessageClass(self._methods[name].input_type)(**fields)

    def named_as(self, command: Message) -> str:
        """Return the name of the method that gives a command, which is the command's own."""
        name = command.DESCRIPTOR.name
        if name not in self._methods:
            raise TypeError(f"{name} is not a command that a seat can give.")
        return name


def only(command: Message) -> Message:
    """Return the command inside a `Command`, as `legal` lists them; any other is returned as it is."""
    if command.DESCRIPTOR.name != "Command":
        return command
    kind = command.WhichOneof("command")
    if kind is None:
        raise ValueError("This Command is empty: set one of its fields.")
    inner: Message = getattr(command, kind)
    return inner
