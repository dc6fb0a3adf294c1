// The client of undici alone, as its entry exports it: the entry loads fetch, WebSocket and caches too.
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

Dispatcher.prototype.request = request;

export { buildConnector, Client, Pool };
