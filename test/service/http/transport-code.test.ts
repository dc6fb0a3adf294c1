import { expect, test } from 'vitest';
import { transportCode } from '../../../src/service/http/transport-code.js';

test('a hello that found its connection gone was lost, and was not answered', () => {
  const message = 'Cannot call write after a stream was destroyed';
  const error = Object.assign(new Error(message), { code: 'ERR_STREAM_DESTROYED' });
  expect(transportCode(error, 'tls')).toBe('tls.reset');
});

test.each([
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_DATA_LENGTH_TOO_LONG',
])('a record that TLS cannot have is no TLS, whichever OpenSSL says so: %s', (code) => {
  expect(transportCode(Object.assign(new Error(code), { code }), 'tls')).toBe('tls.not-tls');
});

test.each([
  ['EHOSTUNREACH', 'tcp.unreachable'],
  ['EACCES', 'tcp.unreachable: local error'],
])('a dial that ends with %s is %s', (name, code) => {
  expect(transportCode(Object.assign(new Error(name), { code: name }), 'tcp')).toBe(code);
});
