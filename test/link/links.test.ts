import { expect, test } from 'vitest';
import { decodeLinks, encodeLinks, type Link } from '../../src/link/index.js';

const link: Link = {
  name: 'endpoint',
  via: 'service-endpoint',
  baseUrl: 'https://ep.example',
  apiHost: 'api.example',
  expectedAddresses: ['10.0.0.4/32'],
  expectedNetworks: ['10.0.0.0/24'],
};

test('reads back what it wrote', () => {
  const links = {
    rulesDigest: 'ab',
    links: [link, { ...link, name: 'other', tlsServerName: 'api.example' }],
  };
  expect(decodeLinks(encodeLinks(links), 'x')).toMatchObject(links);
});

test.each([
  ['a path', { baseUrl: 'https://ep.example/api' }, 'links.0.baseUrl'],
  ['credentials', { baseUrl: 'https://me:pw@ep.example' }, 'links.0.baseUrl'],
  ['a password alone', { baseUrl: 'https://:pw@ep.example' }, 'links.0.baseUrl'],
  ['another scheme', { baseUrl: 'ftp://ep.example' }, 'links.0.baseUrl'],
  ['what a terminal obeys', { name: 'a\u001b[2J' }, 'links.0.name'],
  ['a name of two lines', { tlsServerName: 'a\nb' }, 'links.0.tlsServerName'],
  ['an unknown way', { via: 'vpn' }, 'links.0.via'],
  ['host bits', { expectedNetworks: ['10.0.0.1/24'] }, 'links.0.expectedNetworks.0'],
  ['an unknown field', { colour: 'red' }, 'links.0.colour'],
])('refuses a link with %s and names the field', (_, change, path) => {
  const text = JSON.stringify({
    schema: 'secure-connectivity/links@3',
    rulesDigest: '',
    links: [{ ...link, ...change }],
  });
  expect(() => decodeLinks(text, 'the output')).toThrow(`\`${path}\``);
});

test('refuses what is not JSON, and what has another schema', () => {
  expect(() => decodeLinks('{', 'the output')).toThrow('the output is not JSON');
  expect(() => decodeLinks('{', 'the output')).toThrow(
    expect.objectContaining({ code: 'usage.invalid' }),
  );
  expect(() => decodeLinks('{"schema":"other"}', 'the output')).toThrow('`schema`');
});

test.each(['2', '4'])('names the way on from links of version %s', (version) => {
  const text = JSON.stringify({ schema: `secure-connectivity/links@${version}`, links: [link] });
  expect(() => decodeLinks(text, 'the output')).toThrow(
    `must be "secure-connectivity/links@3", got: "secure-connectivity/links@${version}"; deploy the stack once with this version`,
  );
});

test.each([
  '10.0.0.5:0',
  '10.0.0.5:70000',
  '999.0.0.5:80',
  '10.0.0.5',
])('refuses %s as the server of a plugin', (server) => {
  const plugin = { name: 'p', serviceId: 's', networks: [], servers: [server] };
  const text = encodeLinks({ rulesDigest: '', links: [], plugins: [plugin] });
  expect(() => decodeLinks(text, 'the output')).toThrow('`plugins.0.servers.0` must be an IPv4');
});

test.each(['/he alth', 'health', 'http://10.0.0.1/'])('refuses the path %s', (path) => {
  const healthCheck = { protocol: 'HTTP', path, timeoutSeconds: 2 } as const;
  const plugin = { name: 'p', serviceId: 's', networks: [], servers: [], healthCheck };
  const text = encodeLinks({ rulesDigest: '', links: [], plugins: [plugin] });
  expect(() => decodeLinks(text, 'the output')).toThrow('`plugins.0.healthCheck.path` must start');
});
