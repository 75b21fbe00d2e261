"""Describe the REST API: OpenAPI 3.1 from the descriptors, their `google.api.http` options and their comments."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

Json = dict[str, Any]
INTRODUCTION = (
    "Send `authorization: Bearer <token>` with every call that acts or sees as somebody. Send a new UUID as "
    "`command_id` with every call that changes something; the same one again does nothing again. Unknown fields of a "
    "body are ignored. The same API is spoken as gRPC and gRPC-Web on the same port."
)
LINES = "One such object a line (NDJSON). The stream ends with a `closed` frame that says why."
EVENTS = "Server-sent events. The `id` of each is its version, its `data` a frame as `:watch` has them."
LAST_EVENT_ID: Json = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Go on after this version. Browsers send it by themselves when they connect again.",
    "schema": {"type": "string"},
}
COMMAND_ID = "command_id"  # the one field that no call which changes something may leave out
STATUS = "google.rpc.Status"
HTTP_BODY = "google.api.HttpBody"
WELL_KNOWN: Mapping[str, Json] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$", "examples": ["1.5s"]},
    "google.protobuf.Any": {"type": "object", "properties": {"@type": {"type": "string"}}, "required": ["@type"]},
}
SCALARS: Mapping[int, Json] = {
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.TYPE_UINT32: {"type": "integer", "format": "int64", "minimum": 0},
    FieldDescriptor.TYPE_INT64: {"type": "string", "format": "int64"},
    FieldDescriptor.TYPE_UINT64: {"type": "string", "format": "uint64"},
}


def describe(descriptors: FileDescriptorSet, version: str) -> Json:
    """Return the description of all services in a descriptor set that carries its comments."""
    pool = DescriptorPool()
    comments: dict[str, str] = {}
    for file in descriptors.file:
        pool.AddSerializedFile(file.SerializeToString())
        comments.update(_comments(file))
    services = [
        pool.FindServiceByName(f"{file.package}.{service.name}")
        for file in descriptors.file
        for service in file.service
    ]
    return _Description(comments, pool.FindMessageTypeByName(STATUS)).whole(services, version)


def _comments(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    """Yield the full names of whatever is declared with a comment, and the comment."""
    for location in file.source_code_info.location:
        if location.leading_comments and (name := _declared(file, location.path)):
            kept = (line.strip() for line in location.leading_comments.splitlines())
            yield name, " ".join(line for line in kept if not line.startswith("buf:lint:"))


def _declared(file: FileDescriptorProto, path: Sequence[int]) -> str | None:
    """Return the full name at a path: field number, index, field number, index … None where no name is declared."""
    element: Any = file
    name = file.package
    for number, index in zip(path[::2], path[1::2], strict=False):
        field = element.DESCRIPTOR.fields_by_number[number]
        if not field.is_repeated or not field.message_type or len(path) % 2:
            return None
        element = getattr(element, field.name)[index]
        name = f"{name}.{element.name}"
    return name


class _Description:
    """Collects the schemas of the messages as they are referred to."""

    def __init__(self, comments: Mapping[str, str], status: Descriptor) -> None:
        self._comments = comments
        self._schemas: dict[str, Json] = {}
        self._error: Json = {
            "description": "What went wrong; `details` hold the reason for programs.",
            "content": {"application/json": {"schema": self._message(status)}},
        }

    def whole(self, services: list[ServiceDescriptor], version: str) -> Json:
        paths: dict[str, Json] = {}
        for service in services:
            for method in service.methods:
                verb, path, body = _binding(method)
                paths.setdefault(path, {})[verb] = self._operation(service, method, path, body)
        return {
            "openapi": "3.1.0",
            "info": {"title": "Stammtisch", "version": version, "description": INTRODUCTION},
            "security": [{"bearer": []}, {}],
            "tags": [{"name": service.name, "description": self._comments[service.full_name]} for service in services],
            "paths": dict(sorted(paths.items())),
            "components": {
                "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
                "responses": {"Error": self._error},
                "schemas": dict(sorted(self._schemas.items())),
            },
        }

    def _operation(self, service: ServiceDescriptor, method: MethodDescriptor, path: str, body: str) -> Json:
        operation: Json = {
            "operationId": f"{service.name}.{method.name}",
            "tags": [service.name],
            "description": self._comments[method.full_name],
            "parameters": list(self._parameters(method, path, body)),
            "responses": {"200": self._answer(method), "default": {"$ref": "#/components/responses/Error"}},
        }
        if body:
            fields = method.input_type.fields_by_name
            schema = self._message(method.input_type) if body == "*" else self._field(fields[body])
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        return operation

    def _parameters(self, method: MethodDescriptor, path: str, body: str) -> Iterator[Json]:
        for field in method.input_type.fields:
            in_path = f"{{{field.name}}}" in path
            if in_path or body not in ("*", field.name):
                schema = {key: value for key, value in self._field(field).items() if key != "description"}
                yield {
                    "name": field.name,
                    "in": "path" if in_path else "query",
                    "description": self._comments[field.full_name],
                    "schema": schema,
                } | ({"required": True} if in_path or field.name == COMMAND_ID else {})
        if method.output_type.full_name == HTTP_BODY:
            yield LAST_EVENT_ID

    def _answer(self, method: MethodDescriptor) -> Json:
        if method.output_type.full_name == HTTP_BODY:
            return {"description": EVENTS, "content": {"text/event-stream": {"schema": {"type": "string"}}}}
        said = LINES if method.server_streaming else self._comments[method.output_type.full_name]
        return {"description": said, "content": {"application/json": {"schema": self._message(method.output_type)}}}

    def _message(self, message: Descriptor) -> Json:
        name = message.full_name
        if name in WELL_KNOWN:
            return dict(WELL_KNOWN[name])
        if name not in self._schemas:
            schema = self._schemas[name] = {"type": "object", "description": self._comments.get(name, "")}
            choices = [oneof for oneof in message.oneofs if len(oneof.fields) > 1]
            for oneof in choices:
                schema["description"] += f" Exactly one of {', '.join(field.json_name for field in oneof.fields)}."
            schema["properties"] = {field.json_name: self._described(field) for field in message.fields}
            if COMMAND_ID in message.fields_by_name:
                schema["required"] = [message.fields_by_name[COMMAND_ID].json_name]
        return {"$ref": f"#/components/schemas/{name}"}

    def _enum(self, enum: EnumDescriptor) -> Json:
        name = enum.full_name
        values = {value.name: self._comments.get(f"{name}.{value.name}", "") for value in enum.values}
        lines = (f"* `{value}`: {comment}" for value, comment in values.items())
        self._schemas[name] = {
            "type": "string",
            "description": "\n".join((self._comments.get(name, ""), "", *lines)),
            "enum": list(values),
        }
        return {"$ref": f"#/components/schemas/{name}"}

    def _described(self, field: FieldDescriptor) -> Json:
        return {**self._field(field), "description": self._comments.get(field.full_name, "")}

    def _field(self, field: FieldDescriptor) -> Json:
        if field.message_type:
            schema = self._message(field.message_type)
        elif field.enum_type:
            schema = self._enum(field.enum_type)
        else:
            schema = dict(SCALARS[field.type])
        return {"type": "array", "items": schema} if field.is_repeated else schema


def _binding(method: MethodDescriptor) -> tuple[str, str, str]:
    """Return verb, path and body of a method's REST binding."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    if verb is None or re.search(r"\{\w*[^\w}]", path := getattr(rule, verb)):
        raise ValueError(f"{method.full_name} needs a google.api.http option with plain {{field}} variables")
    return verb, path, rule.body
