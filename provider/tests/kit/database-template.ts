import { template } from '../../src/db/template.ts';

/** Makes the template of the embedded databases before any test: in a fresh clone the first tests would each make one. */
export async function setup(): Promise<void> {
  await template();
}
