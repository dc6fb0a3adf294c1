import { decode, Encoder, ExtensionCodec } from '@msgpack/msgpack';
import { UNKNOWN, type Value } from './value.js';

/** The calls that carry a configuration of one type. */
export interface ConfigCall {
  readonly type_name: string;
  readonly config: DynamicValue | null;
}

export interface UpgradeCall {
  readonly type_name: string;
  readonly raw_state: { readonly json: Uint8Array } | null;
}

export interface ReadCall {
  readonly type_name: string;
  readonly current_state: DynamicValue | null;
  readonly private: Uint8Array;
}

export interface PlanCall extends ConfigCall {
  readonly prior_state: DynamicValue | null;
  readonly proposed_new_state: DynamicValue | null;
  readonly prior_private: Uint8Array;
}

export interface ApplyCall extends ConfigCall {
  readonly prior_state: DynamicValue | null;
  readonly planned_state: DynamicValue | null;
  readonly planned_private: Uint8Array;
}

export interface ImportCall {
  readonly type_name: string;
  readonly id: string;
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
  if (raw === null || raw === undefined) return null;
  if (raw === UNKNOWN) return UNKNOWN;
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'bigint') {
    return Number.isSafeInteger(Number(raw)) ? Number(raw) : raw;
  }
  if (Array.isArray(raw)) return raw.map(fold);
  if (typeof raw === 'object') {
    return Object.fromEntries(Object.entries(raw).map(([name, member]) => [name, fold(member)]));
  }
  throw new TypeError(`A value of the type ${typeof raw} cannot be decoded.`);
}
