/**
 * The contract between a stack and its check: what the stack puts into its output `connectivity`, and
 * the check reads, possibly with another version of this package. A field that is added must be
 * optional; one that changes its meaning needs another `LINKS_SCHEMA`.
 */
export {
  type Connection,
  connectionSchema,
  decodeLinks,
  encodeLinks,
  LINKS_SCHEMA,
  type Link,
  type Links,
  linkSchema,
  type Plugin,
  pluginSchema,
  VIAS,
  type Via,
} from './link.js';
export type { RunVia, VantagePoint } from './vantage-point.js';
