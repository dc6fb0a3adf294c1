import { ExtensionCodec, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValue, encodeValue } from '../../../src/sandbox/provider/protocol.js';
import { UNKNOWN, type Value } from '../../../src/sandbox/provider/value.js';

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.constant(UNKNOWN),
    fc.boolean(),
    fc.string(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    fc.array(tie('value')),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('value'),
      { noNullPrototype: true },
    ),
  ),
}));

describe('a dynamic value', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(value, (sent) => {
        expect(decodeValue(encodeValue(sent))).toEqual(sent);
      }),
    );
  });

  it('carries unknown as an extension of type 0 with one byte', () => {
    expect([...(encodeValue(UNKNOWN).msgpack ?? [])]).toEqual([0xd4, 0, 0]);
  });

  it('reads a refined unknown as unknown', () => {
    const extensionCodec = new ExtensionCodec();
    const refined = { prefix: 'vpc-' };
    extensionCodec.register({
      type: 12,
      encode: (sent) => (sent === refined ? encode({ 2: 'vpc-' }) : null),
      decode: () => null,
    });
    expect(decodeValue({ msgpack: encode({ id: refined }, { extensionCodec }) })).toEqual({
      id: UNKNOWN,
    });
  });

  it('keeps 64-bit integers exact', () => {
    const large = 2n ** 63n - 1n;
    expect(decodeValue(encodeValue([large, -(2n ** 63n)]))).toEqual([large, -(2n ** 63n)]);
    expect(decodeValue(encodeValue(42n))).toBe(42);
  });

  it('reads absence as null and JSON where that is sent', () => {
    expect(decodeValue(null)).toBeNull();
    expect(decodeValue({ msgpack: new Uint8Array(), json: new Uint8Array() })).toBeNull();
    expect(decodeValue({ json: Buffer.from('{"a":[1]}') })).toEqual({ a: [1] });
  });
});
