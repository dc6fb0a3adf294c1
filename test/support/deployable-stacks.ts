import { SERVICE_NAME } from '../sandbox/support.js';
import { EVERY_OPTION, type STACKS, synthesized } from '../stacks/every-option.js';

/** Every option, as the sandbox's cloud takes it: nothing that exists before, and no check. */
const DEPLOYABLE = {
  ...EVERY_OPTION,
  check: { mode: 'off' },
  serviceEndpoint: {
    ...without(EVERY_OPTION.serviceEndpoint, 'securityGroupIds'),
    serviceName: SERVICE_NAME,
    serviceId: 'epsvc-sandbox',
    preventDestroy: false,
  },
  fixedIpEgress: { ...EVERY_OPTION.fixedIpEgress, prefixList: {} },
  pluginEndpointService: {
    ...without(EVERY_OPTION.pluginEndpointService, 'acceptedEndpointIds'),
    preventDestroy: false,
  },
  fixedIpIngress: without(EVERY_OPTION.fixedIpIngress, 'securityGroup'),
};

/**
 * A stack with every option that can be deployed to an empty sandbox, as Terraform reads it.
 *
 * @param range the first two bytes of the addresses of its network; another one replaces the network
 * and everything in it
 */
export function deployableStack(stack: keyof typeof STACKS, range?: string): string {
  const text = JSON.stringify(DEPLOYABLE);
  const moved = range === undefined ? text : text.replaceAll(/10\.[34]0(?=\.)/g, range);
  return synthesized(stack, JSON.parse(moved)).text;
}

function without<T extends object>(all: T, name: keyof T): Partial<T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name)) as Partial<T>;
}
