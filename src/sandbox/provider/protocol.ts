import { decode, Encoder, ExtensionCodec } from '@msgpack/msgpack';
import { UNKNOWN, type Value } from './value.js';

/**
 * The messages of Terraform's plugin protocol 6 that a provider of resources and data sources uses,
 * under the field numbers that the protocol fixes.
 */
export const PROVIDER_PROTO = `
syntax = "proto3";
package tfplugin6;

message DynamicValue { bytes msgpack = 1; bytes json = 2; }
message RawState { bytes json = 1; }
message AttributePath {
  message Step {
    oneof selector { string attribute_name = 1; string element_key_string = 2; int64 element_key_int = 3; }
  }
  repeated Step steps = 1;
}
message Diagnostic {
  enum Severity { INVALID = 0; ERROR = 1; WARNING = 2; }
  Severity severity = 1;
  string summary = 2;
  string detail = 3;
  AttributePath attribute = 4;
}
message Schema {
  enum Nesting { INVALID = 0; SINGLE = 1; LIST = 2; SET = 3; MAP = 4; }
  message Object { repeated Attribute attributes = 1; Nesting nesting = 3; }
  message Attribute {
    string name = 1;
    bytes type = 2;
    bool required = 4;
    bool optional = 5;
    bool computed = 6;
    bool sensitive = 7;
    Object nested_type = 10;
  }
  message Block { int64 version = 1; repeated Attribute attributes = 2; }
  int64 version = 1;
  Block block = 2;
}

message Empty {}
message SchemaReply {
  message Capabilities { bool plan_destroy = 1; bool get_provider_schema_optional = 2; }
  Schema provider = 1;
  map<string, Schema> resource_schemas = 2;
  map<string, Schema> data_source_schemas = 3;
  repeated Diagnostic diagnostics = 4;
  Capabilities server_capabilities = 6;
}
message ValidateProviderCall { DynamicValue config = 1; }
message ValidateProviderReply { repeated Diagnostic diagnostics = 2; }
message ConfigureCall { string terraform_version = 1; DynamicValue config = 2; }
message ConfigCall { string type_name = 1; DynamicValue config = 2; }
message DiagnosticsReply { repeated Diagnostic diagnostics = 1; }
message UpgradeCall { string type_name = 1; int64 version = 2; RawState raw_state = 3; }
message UpgradeReply { DynamicValue upgraded_state = 1; repeated Diagnostic diagnostics = 2; }
message ReadCall { string type_name = 1; DynamicValue current_state = 2; bytes private = 3; }
message ReadReply { DynamicValue new_state = 1; repeated Diagnostic diagnostics = 2; bytes private = 3; }
message PlanCall {
  string type_name = 1;
  DynamicValue prior_state = 2;
  DynamicValue proposed_new_state = 3;
  DynamicValue config = 4;
  bytes prior_private = 5;
}
message PlanReply {
  DynamicValue planned_state = 1;
  repeated AttributePath requires_replace = 2;
  bytes planned_private = 3;
  repeated Diagnostic diagnostics = 4;
}
message ApplyCall {
  string type_name = 1;
  DynamicValue prior_state = 2;
  DynamicValue planned_state = 3;
  DynamicValue config = 4;
  bytes planned_private = 5;
}
message ApplyReply { DynamicValue new_state = 1; bytes private = 2; repeated Diagnostic diagnostics = 3; }
message ImportCall { string type_name = 1; string id = 2; }
message ImportReply {
  message Imported { string type_name = 1; DynamicValue state = 2; bytes private = 3; }
  repeated Imported imported_resources = 1;
  repeated Diagnostic diagnostics = 2;
}
message ReadDataReply { DynamicValue state = 1; repeated Diagnostic diagnostics = 2; }
message StopReply { string Error = 1; }

service Provider {
  rpc GetProviderSchema(Empty) returns (SchemaReply);
  rpc ValidateProviderConfig(ValidateProviderCall) returns (ValidateProviderReply);
  rpc ConfigureProvider(ConfigureCall) returns (DiagnosticsReply);
  rpc ValidateResourceConfig(ConfigCall) returns (DiagnosticsReply);
  rpc ValidateDataResourceConfig(ConfigCall) returns (DiagnosticsReply);
  rpc UpgradeResourceState(UpgradeCall) returns (UpgradeReply);
  rpc ReadResource(ReadCall) returns (ReadReply);
  rpc PlanResourceChange(PlanCall) returns (PlanReply);
  rpc ApplyResourceChange(ApplyCall) returns (ApplyReply);
  rpc ImportResourceState(ImportCall) returns (ImportReply);
  rpc ReadDataSource(ConfigCall) returns (ReadDataReply);
  rpc StopProvider(Empty) returns (StopReply);
}
`;

/** The content of calls; each has the fields of its own message. */
export interface Call {
  readonly type_name: string;
  readonly id: string;
  readonly config: DynamicValue | null;
  readonly current_state: DynamicValue | null;
  readonly prior_state: DynamicValue | null;
  readonly proposed_new_state: DynamicValue | null;
  readonly planned_state: DynamicValue | null;
  readonly raw_state: { readonly json: Uint8Array } | null;
  readonly private: Uint8Array;
  readonly prior_private: Uint8Array;
  readonly planned_private: Uint8Array;
}

/** A value on the wire: MessagePack, or JSON where Terraform upgrades a stored state. */
interface DynamicValue {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}

const PLAIN_UNKNOWN = 0;
const REFINED_UNKNOWN = 12;

const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: PLAIN_UNKNOWN,
  encode: (value) => (value === UNKNOWN ? Uint8Array.of(0) : null),
  decode: () => UNKNOWN,
});
extensionCodec.register({ type: REFINED_UNKNOWN, encode: () => null, decode: () => UNKNOWN });

const encoder = new Encoder({ extensionCodec, useBigInt64: true });

/** An absent value reads as null. */
export function decodeValue(wire: DynamicValue | null | undefined): Value {
  if (wire?.msgpack?.length) {
    return fold(decode(wire.msgpack, { extensionCodec, useBigInt64: true }));
  }
  return wire?.json?.length ? fold(JSON.parse(Buffer.from(wire.json).toString())) : null;
}

export function encodeValue(value: Value): DynamicValue {
  return { msgpack: encoder.encode(value) };
}

/** Takes what the decoder gives apart, with 64-bit integers as numbers wherever that loses nothing. */
function fold(raw: unknown): Value {
  if (typeof raw === 'bigint') return Number.isSafeInteger(Number(raw)) ? Number(raw) : raw;
  if (Array.isArray(raw)) return raw.map(fold);
  if (typeof raw !== 'object' || raw === null) return raw as Value;
  return Object.fromEntries(Object.entries(raw).map(([name, member]) => [name, fold(member)]));
}
