export { type Connection, connectionSchema } from './connection.js';
export { type Link, linkSchema, VIAS, type Via } from './link.js';
export { decodeLinks, encodeLinks, LINKS_SCHEMA, type Links } from './links.js';
