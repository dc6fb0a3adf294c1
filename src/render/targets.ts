import { cilium } from './cilium.js';
import { csv } from './csv.js';
import { fortigate } from './fortigate.js';
import { iptables } from './iptables.js';
import { json } from './json.js';
import { kubernetes } from './kubernetes.js';
import { nftables } from './nftables.js';
import { paloAlto } from './palo-alto.js';
import type { Target } from './target.js';

/** Every form in which rules can be rendered for what Terraform does not manage. */
export const TARGETS: readonly Target[] = [
  nftables,
  iptables,
  paloAlto,
  fortigate,
  kubernetes,
  cilium,
  json,
  csv,
];
