import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

const SLIM = `
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import buildConnector from 'undici/lib/core/connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import request from 'undici/lib/api/api-request.js';
Dispatcher.prototype.request = request;
export { Client, Pool, buildConnector };
`;

const SLIM_WITH_PROXIES = `
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import request from 'undici/lib/api/api-request.js';
Dispatcher.prototype.request = request;
export { Agent, EnvHttpProxyAgent, ProxyAgent };
`;

const NO_HTTP2 = `
module.exports = () => { throw new Error('HTTP/2 is not part of this program'); };
`;

/**
 * Bundles only what the program uses of undici: its clients and their
 * `request`. The package's own entry loads all of fetch, WebSocket, caches and HTTP/2 too, which takes
 * longer than a check.
 */
export const slimUndici: Plugin = {
  name: 'slim-undici',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^undici$/ }, ({ importer }) => ({
      // A path of its own for each form, for it is the module's identity.
      path: importer.includes('/src/cloud-control/') ? 'undici-with-proxies' : 'undici',
      namespace: 'slim-undici',
      pluginData: dirname(importer),
    }));
    onLoad({ filter: /.*/, namespace: 'slim-undici' }, ({ path, pluginData }) => ({
      contents: path === 'undici' ? SLIM : SLIM_WITH_PROXIES,
      resolveDir: pluginData,
    }));
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({ contents: NO_HTTP2 }));
  },
};
