import { LABEL, RESOLVES, type TypesOf } from './reviewed-type.js';

export const PRIVATEZONE_TYPES: TypesOf<'privatezone'> = {
  volcenginecc_privatezone_private_zone: {
    name: 'the private zone',
    effects: {
      cutsAll: true,
      removed: 'its names resolve as they do on the internet again',
      replaced: 'its names resolve as on the internet until the new zone answers',
      changed: { vpcs: 'its names resolve in other networks' },
    },
    model: {
      access: [],
      facts: {
        zone_name: { ...RESOLVES, isLasting: true },
        vpcs: { ...RESOLVES, isLasting: true },
        recursion_mode: RESOLVES,
        line_mode: RESOLVES,
      },
      harmless: { [LABEL]: ['project_name', 'tags', 'remark'] },
    },
  },
  volcenginecc_privatezone_record: {
    name: 'the name in the private zone',
    effects: {
      removed: 'the name no longer resolves to the endpoint: its clients leave the private path',
      replaced: 'the name does not resolve for a moment',
      changed: {
        host: 'clients must use another name',
        type: 'the name resolves in another way',
        value: 'the name resolves to something else',
        enable: 'the name starts or stops resolving',
      },
    },
    model: undefined,
  },
};
