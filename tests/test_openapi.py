"""The description of the REST API is valid, complete, and true of the JSON that protobuf makes."""

import json
from typing import Any

import pytest
from google.protobuf import json_format, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.house.envoy import FILES
from tests.house.upstream import METHODS, filled
from tools.openapi import HTTP_BODY, describe

API: dict[str, Any] = json.loads((FILES / "openapi.json").read_text())
OPERATIONS = {operation["operationId"]: operation for path in API["paths"].values() for operation in path.values()}
SPEAKING_JSON = [path for path, method in METHODS.items() if method.output_type.full_name != HTTP_BODY]


def operation_of(method: MethodDescriptor) -> dict[str, Any]:
    found: dict[str, Any] = OPERATIONS[f"{method.containing_service.name}.{method.name}"]
    return found


def schema_of(content: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that stands alone and accepts no unknown property."""
    schemas = {
        name: schema | ({"additionalProperties": False} if "properties" in schema else {})
        for name, schema in API["components"]["schemas"].items()
    }
    return {**content["application/json"]["schema"], "components": {"schemas": schemas}}


def test_it_is_valid_openapi() -> None:
    OpenAPIV31SpecValidator(API).validate()


def test_every_rpc_is_described_and_nothing_else() -> None:
    assert OPERATIONS.keys() == {f"{method.containing_service.name}.{method.name}" for method in METHODS.values()}


def test_everything_in_it_is_explained() -> None:
    for operation in OPERATIONS.values():
        assert operation["description"]
        assert all(parameter["description"] for parameter in operation["parameters"])
    for name, schema in API["components"]["schemas"].items():
        assert schema["description"], name
        assert all(field["description"] for field in schema.get("properties", {}).values()), name
        assert "buf:lint" not in schema["description"]


@pytest.mark.parametrize("path", SPEAKING_JSON)
def test_an_answer_with_every_field_set_is_as_described(path: str) -> None:
    method = METHODS[path]
    content = operation_of(method)["responses"]["200"]["content"]
    answer = filled(message_factory.GetMessageClass(method.output_type)())
    Draft202012Validator(schema_of(content)).validate(json_format.MessageToDict(answer))


@pytest.mark.parametrize("path", [path for path in METHODS if "requestBody" in operation_of(METHODS[path])])
def test_a_body_as_described_is_understood_and_parameters_are_the_other_fields(path: str) -> None:
    method = METHODS[path]
    operation = operation_of(method)
    request = json_format.MessageToDict(filled(message_factory.GetMessageClass(method.input_type)()))
    named = {parameter["name"] for parameter in operation["parameters"]}
    body = request.get("command", request)
    Draft202012Validator(schema_of(operation["requestBody"]["content"])).validate(body)
    fields = {field.name for field in method.input_type.fields}
    assert named <= fields
    assert named == fields - {"command"} or "command_id" not in named


def test_whoever_changes_something_is_told_to_send_a_command_id() -> None:
    for path, method in METHODS.items():
        if "command_id" in method.input_type.fields_by_name:
            operation = operation_of(method)
            required = {each["name"] for each in operation["parameters"] if each.get("required")}
            body = schema_of(operation["requestBody"]["content"])["$ref"].rpartition("/")[2]
            required |= set(API["components"]["schemas"][body].get("required", ()))
            assert required & {"command_id", "commandId"}, path


def test_an_rpc_without_a_path_is_an_error() -> None:
    descriptors = FileDescriptorSet.FromString((FILES / "api.binpb").read_bytes())
    service = next(file for file in descriptors.file if file.service).service[0]
    service.method[0].ClearField("options")
    with pytest.raises(ValueError, match=r"needs a google\.api\.http option"):
        describe(descriptors, "v1")
