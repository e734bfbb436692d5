import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SOAK } from '#tests/soak.ts';
import { makeTarget } from '../attacks/attacker.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { OLD_SITE } from '../kit/old-system.ts';
import { withProject } from '../kit/other-project.ts';
import { exportFolder } from './export-files.ts';
import { importCommand } from './import-command.ts';
import { Logins } from './logins.ts';
import { peopleOf, type OldPerson, type OldSystem } from './old-people.ts';
import { AUTH0 } from './people/auth0.ts';
import { BETTER_AUTH } from './people/better-auth.ts';
import { CLERK } from './people/clerk.ts';
import { COGNITO } from './people/cognito.ts';
import { FIREBASE } from './people/firebase.ts';
import { KEYCLOAK } from './people/keycloak.ts';
import { KRATOS } from './people/kratos.ts';
import { NEXT_AUTH } from './people/next-auth.ts';
import { STYTCH } from './people/stytch.ts';
import { SUPABASE } from './people/supabase.ts';

/** Twenty of each product move in every run; those of the others are in `exports/`. */
const OF_EVERY_RUN: Readonly<Record<string, OldSystem>> = { stytch: STYTCH, auth0: AUTH0, clerk: CLERK, firebase: FIREBASE, cognito: COGNITO }; // prettier-ignore
const OF_SOAKS: Readonly<Record<string, OldSystem>> = { supabase: SUPABASE, 'better-auth': BETTER_AUTH, 'next-auth': NEXT_AUTH, keycloak: KEYCLOAK, kratos: KRATOS }; // prettier-ignore
const SYSTEMS = Object.entries({ ...OF_EVERY_RUN, ...(SOAK ? OF_SOAKS : {}) });
const COUNT = SOAK ? 1000 : 20;
const MOST_BYTES = 1_000_000;
/** The people who log in at the same time. */
const AT_ONCE = 8;
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1wYXNzd29yZC1jaGVjaw==';

const file = exportFolder();

describe.each(EITHER_DATABASE)('many people who come from another product, on %s', (_, url) => {
  let provider: Provider;
  let host: DocumentHost;
  beforeAll(async () => {
    const mfa = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'] };
    provider = await makeTarget(url, {}, { mfa, origins: [OLD_SITE], breach_detection: false });
    host = await documentHost();
    for (const [, { prepare }] of SYSTEMS) await prepare?.();
  });
  afterAll(async () => {
    await Promise.all([provider.close(), host.close()]);
  });
  beforeEach(async () => {
    await provider.services.db.deleteFrom('users').execute();
  });

  function commandFields(name: string, { options = {} }: OldSystem, files: Readonly<Record<string, string>>): Fields {
    const [main, ...also] = Object.entries(files).map(([path, text]) => file(`${name}-${path}`, text));
    const { secret, firebase_config } = options;
    if (secret !== undefined) vi.stubEnv('PORTICO_TEST_OLD_SECRET', secret);
    const config = firebase_config === undefined ? {} : { firebase_config: file('firebase-config.json', JSON.stringify(firebase_config)) }; // prettier-ignore
    return { file: main, also, from: name, rp_id: 'localhost', ...config, ...(secret === undefined ? {} : { secret_env: 'PORTICO_TEST_OLD_SECRET' }) }; // prettier-ignore
  }

  /** The old system, which still checks the passwords that it does not export. */
  function checkedThere(people: readonly OldPerson[]): Provider {
    const passwords = new Map(people.map(({ id, password }) => [id, password]));
    const address = host.answer('/check', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { external_id, password } = JSON.parse(Buffer.concat(chunks).toString()) as Fields;
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ correct: passwords.get(String(external_id)) === password }));
      });
    });
    return withProject(provider, { password_check: { url: address, secret: [SECRET], timeout_seconds: 20 } }, {});
  }

  it.each(SYSTEMS)('of %s log in with what they had', async (name, system) => {
    const people = await peopleOf(system, COUNT);
    const door = name === 'cognito' ? checkedThere(people) : provider;
    const { lines } = await importCommand(door, MOST_BYTES)(commandFields(name, system, await system.write(people)));
    expect(lines.at(-1)).toBe(`${COUNT} imported, 0 were there already, 0 refused.`);
    const logins = new Logins(door);
    const queue = [...people];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await logins.expectAll(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
});
