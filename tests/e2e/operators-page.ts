import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { FunnelCounts } from '#provider/accounts/passkeys/funnel-counts.ts';
import { systemClock } from '#provider/base/platform.ts';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { inviteOperator } from '#provider/operation/operators/desk/operator-store.ts';
import { memoryServices } from '#scripts/lib/memory-services.ts';

const DAY_MS = 24 * 60 * 60_000;
const BY = { name: 'root', address: null, request_id: null };
/** The name of the user, and of whatever is made. */
export const HOSTILE = '<img src=x onerror=document.title="broken">';

/** The operators' page on a port of its own, with a user whose name is hostile, and counts of passkeys eight days ago. */
export async function serveOperators() {
  const services = await memoryServices(systemClock);
  const { db } = services;
  await importUser(
    services,
    { emails: [{ email: 'ada@example.com', verified: true }], name: { first_name: HOSTILE } },
    BY,
  );
  const counts = new FunnelCounts(db, (error) => services.report(error, { where: 'counts of passkeys' }));
  const chrome = { browser: 'Chrome', mobile: false } as const;
  const steps = { offered: 1_500, made: 600, used: 2_400, failed: 3 } as const;
  for (const [step, times] of Object.entries(steps) as [keyof typeof steps, number][])
    for (let time = 0; time < times; time += 1) counts.count(step, chrome, systemClock.now() - 8 * DAY_MS);
  counts.count('offered', { browser: 'Safari', mobile: true }, systemClock.now() - 8 * DAY_MS);
  await counts.stop();
  let listener: ReturnType<typeof getRequestListener> | null = null;
  const server = createServer((request, response) => void listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const app = operatorsApp(services, { origin });
  listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const token = await inviteOperator(services, { name: 'Grace', role: 'admin' }, BY);
  await inviteOperator(services, { name: 'Edsger', role: 'reader' }, BY);
  return {
    link: `${origin}/operators/enrol#${token}`,
    origin,
    async close() {
      server.closeAllConnections();
      server.close();
      await db.destroy();
    },
  };
}
