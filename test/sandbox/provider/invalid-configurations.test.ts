import { expect, it } from 'vitest';
import { buildBalancer, ZONE } from '../support.js';
import { findSteps } from './find-steps.js';
import { invalidConfigurations } from './invalid-configurations.js';
import { StandInTerraform } from './stand-in-terraform.js';

it('refuses each invalid configuration at the step at which the genuine provider does', async () => {
  const terraform = await StandInTerraform.start();
  try {
    const made = buildBalancer(terraform.cloud);
    const zone = terraform.cloud.create(ZONE, { ZoneName: 'example.com' });
    const all = invalidConfigurations({ ...made, zone });
    expect(all.length).toBeGreaterThan(50);
    const steps = await findSteps(terraform, all);
    const measured = all.map(({ type, what, step }) => `${type}: ${what}: ${step}`);
    expect(all.map(({ type, what }, index) => `${type}: ${what}: ${steps[index]}`)).toEqual(
      measured,
    );
  } finally {
    await terraform.stop();
  }
}, 300_000);
