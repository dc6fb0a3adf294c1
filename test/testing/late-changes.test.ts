import { AssetType, TerraformAsset } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { overridden } from '../support/overridden-endpoint.js';

const LISTED = { from: '10.30.1.0/24', port: 443 };
const ANYONE = '0.0.0.0/0';

describe('code that runs at synth', () => {
  test('a validation can open what no construct opened', () => {
    const access = overridden(['10.30.1.0/24'], (group) =>
      group.node.addValidation({
        validate: () => {
          group.addOverride('ingress_permissions.0.cidr_ip', ANYONE);
          return [];
        },
      }),
    );
    expect(() => access.toDenyAll({ from: '8.8.8.8' })).toThrow('open is tcp 443 from 8.8.8.8');
  });

  test('code that runs while the stack is written can change everything; an asset does not', () => {
    const late = () =>
      overridden(['10.30.1.0/24'], (group) =>
        Object.defineProperty(group, Symbol.for('cdktf/customSynthesis'), {
          value: {
            onSynthesize: () => group.addOverride('ingress_permissions.0.cidr_ip', ANYONE),
          },
        }),
      );
    const got = 'it runs code while the stack is synthesized';
    expect(() => late().toAllow(LISTED)).toThrow(got);
    expect(() => late().toAllowOnly(LISTED)).toThrow(got);
    expect(() => late().toDenyAll({ from: '8.8.8.8' })).toThrow(got);
    overridden(['10.30.1.0/24'], (group) => {
      new TerraformAsset(group, 'asset', { path: import.meta.filename, type: AssetType.FILE });
    }).toAllowOnly(LISTED);
  });
});
