import { afterEach, describe, expect, it, vi } from 'vitest';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { WorkerPool } from '#provider/accounts/password-strength/worker-pool.ts';
import { randomOf } from '#provider/base/platform.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { uniqueEmail, MINUTES } from './attacker.ts';
import { FREE, PROJECT } from './newcomers.ts';

const ADMIN = { name: 'Grace', address: null, request_id: null };
const BCRYPT = '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.';
const GOOD = 'correct horse battery staple 9';
const USERS_OF_KIND = 10;
const STRANGERS = 40;

describe.each(EITHER_DATABASE)(
  'unknown addresses while half of the hashes are those of another system, on %s',
  (_, url) => {
    afterEach(() => vi.restoreAllMocks());

    describe.each(['project-test-1', 'project-live-1'])('in %s', (project_id) => {
      const project = { ...PROJECT, project_id };
      const provider = suiteProvider(url, { project, random: randomOf(project), limits: FREE });

      it('are compared now with such a hash and now with one of this server, as accounts are', async () => {
        for (let index = 0; index < USERS_OF_KIND; index += 1) {
          const line = { emails: [{ email: uniqueEmail('moved'), verified: true }], password: { hash: BCRYPT } };
          expect((await importUser(provider.services, line, ADMIN)).result).toBe('imported');
          const { status } = await provider.post('/passwords', {
            email: uniqueEmail('own'),
            password: GOOD,
            ...MINUTES,
          });
          expect(status).toBe(200);
        }
        // Only hashes of another system are computed in these threads at a login.
        const slow = vi.spyOn(WorkerPool.prototype, 'run');
        const isSlow = async (email: string): Promise<boolean> => {
          slow.mockClear();
          const reply = await provider.post('/passwords/authenticate', {
            email,
            password: 'a wrong password',
            ...MINUTES,
          });
          expect(reply.body['error_type']).toBe('unauthorized_credentials');
          return slow.mock.calls.length > 0;
        };
        const kinds: boolean[] = [];
        for (let index = 0; index < STRANGERS; index += 1) {
          const email = uniqueEmail('nobody');
          kinds.push(await isSlow(email));
          expect(await isSlow(email)).toBe(kinds.at(-1));
        }
        expect(new Set(kinds)).toEqual(new Set([true, false]));
      });
    });
  },
);
