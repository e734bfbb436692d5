/** The cost of the client's own code: permission checks by the size of the policy, and an `authenticate` round trip. */
import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { PorticoClient } from '../src/composition/client.ts';
import { AccessPolicy } from '../src/domain/sessions/rbac.ts';
import { FakeServer } from '../kit/fake-server.ts';
import { FakeWorld } from '../kit/fake-world.ts';

const SIZES = [10, 1_000, 100_000];
const CHECKS = 300_000;
const ROUNDS = 7;
const TRIPS = 400;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** A policy with this number of permissions, ten actions per resource. */
function policyOf(size: number) {
  const resources = Array.from({ length: size / 10 }, (_, resource) => ({
    resource_id: `resource-${resource}`,
    actions: Array.from({ length: 10 }, (__, action) => `action-${action}`),
  }));
  return { roles: [{ role_id: 'member', permissions: resources }], resources };
}

/** Half of the checks are granted. Each size has the same number of different checks. */
function checksPerSecond(size: number): number {
  const policy = new AccessPolicy(policyOf(size));
  const roles = ['member'];
  const resources = size / 10;
  const questions = Array.from({ length: 1_000 }, (_, index) => ({
    resource: `resource-${(index * 7_919) % resources}`,
    action: index % 2 === 0 ? `action-${index % 10}` : 'never',
  }));
  let granted = 0;
  const once = (): number => {
    const began = performance.now();
    for (let turn = 0; turn < CHECKS; turn += 1) {
      const question = questions[turn % 1_000];
      if (question !== undefined && policy.isAuthorized(roles, question.resource, question.action)) granted += 1;
    }
    return (CHECKS / (performance.now() - began)) * 1_000;
  };
  once();
  const rate = median(Array.from({ length: ROUNDS }, once));
  if (granted !== (CHECKS / 2) * (ROUNDS + 1)) throw new Error(`${granted} checks were granted`);
  return rate;
}

/** Needs a young generation with room for all allocations, so that no garbage collection runs in between. */
async function roundTrip() {
  const world = new FakeWorld();
  const challengeOf = async (verifier: string): Promise<string> =>
    createHash('sha256').update(verifier).digest('base64url');
  const server = new FakeServer(world.transport, world.clock, challengeOf);
  const client = new PorticoClient('public-token-test-bench', { adapters: world.tab(), telemetry: false });
  const { method_id } = await client.otps.email.loginOrCreate('ada@example.com');
  const code = server.inbox[0]?.code ?? '';
  await client.otps.authenticate(code, method_id, { session_duration_minutes: 60 });
  const times: number[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    globalThis.gc?.();
    const heap = getHeapStatistics().used_heap_size;
    const began = performance.now();
    for (let trip = 0; trip < TRIPS; trip += 1) await client.session.authenticate();
    times.push((performance.now() - began) / TRIPS);
    bytes.push((getHeapStatistics().used_heap_size - heap) / TRIPS);
  }
  client.destroy();
  return { microseconds: median(times) * 1_000, bytes: median(bytes) };
}

const rbac = Object.fromEntries(SIZES.map((size) => [size, checksPerSecond(size)]));
process.stdout.write(`${JSON.stringify({ rbac, roundTrip: await roundTrip() })}\n`);
process.exit(0);
