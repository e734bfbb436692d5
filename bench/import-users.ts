/**
 * Users per second of an import, as the command sends it: batches of a thousand, two at a time. Prints one JSON object:
 * the rate without passwords, and with hashes of another system, which are sealed.
 */
import { makeProvider } from '../provider/tests/kit/harness.ts';
import { importUsers } from '../provider/src/operation/operators/import-users.ts';

const USERS = 10_000;
const BATCH = 1_000;
const AT_ONCE = 2;
const BY = { name: 'bench', address: null, request_id: null };
const HASH = '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.';

const line = (n: number, isHashed: boolean): object => ({
  external_id: `crm-${n}`,
  emails: [{ email: `person-${n}@example.com`, verified: true }],
  name: { first_name: `Ada ${n}`, last_name: 'Byron' },
  ...(isHashed ? { password: { hash_type: 'bcrypt', hash: HASH } } : {}),
});

async function rate(url: string | undefined, isHashed: boolean): Promise<number> {
  const provider = await makeProvider(url);
  const { services } = provider;
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < USERS) {
      const from = next;
      next += BATCH;
      const lines = Array.from({ length: Math.min(BATCH, USERS - from) }, (_, n) => line(from + n, isHashed));
      const results = await importUsers(services, lines, BY);
      if (results.some(({ result }) => result !== 'imported')) throw new Error('A user was not imported');
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const seconds = (performance.now() - began) / 1000;
  await provider.close();
  return USERS / seconds;
}

const url = process.env['TEST_DATABASE_URL'];
process.stdout.write(`${JSON.stringify({ plain: await rate(url, false), hashed: await rate(url, true) })}\n`);
process.exit(0);
