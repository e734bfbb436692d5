import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier } from '#composition/server.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { API_URL, Issuer, PROJECT_ID, withCookies } from './issuer.ts';
import { refused, ScriptedTransport, signedIn } from './scripted-api.ts';

let clock: VirtualClock;
let own: Issuer;
let other: Issuer;
let transport: ScriptedTransport;
let asking: Verifier;
let alone: Verifier;

beforeAll(async () => {
  own = await Issuer.make('key-1', () => clock.now());
  other = await Issuer.make('key-2', () => clock.now());
});

beforeEach(() => {
  clock = new VirtualClock();
  transport = new ScriptedTransport();
  const options = {
    projectId: PROJECT_ID,
    apiUrl: API_URL,
    adapters: { clock, keys: new FakeKeys([own.published]), transport },
  };
  asking = createVerifier({ ...options, publicToken: 'public-token-test-x' });
  alone = createVerifier(options);
});

/** The two cookies of a session, with the default names. */
const pair = (token: string, jwt: string): string => `stytch_session=${token}; stytch_session_jwt=${jwt}`;

/** The cookies of a user of another project, on a parent of this host. */
async function foreign(token: string, aud: unknown = ['project-test-other']): Promise<string> {
  return pair(token, await other.sign({ ...other.claims('stranger', [], token), aud: aud as string[] }));
}

describe('cookies of another project, which have the same names,', () => {
  it('leave the user signed in by the JWT, without a request', async () => {
    const mine = pair('token-1', await own.jwt('user-1', [], 'token-1'));
    for (const cookie of [`${await foreign('token-2')}; ${mine}`, `${mine}; ${await foreign('token-2')}`]) {
      for (const verifier of [asking, alone]) {
        const who = await verifier.authenticateRequest(withCookies(cookie));
        expect(who).toMatchObject({ status: 'signed-in', user_id: 'user-1', source: 'jwt' });
      }
    }
    expect(transport.requests).toEqual([]);
  });

  it('do not count towards the most values', async () => {
    const mine = pair('token-1', await own.jwt('user-1', [], 'token-1'));
    const others = await Promise.all(['a', 'b', 'c'].map((token) => foreign(token)));
    const who = await asking.authenticateRequest(withCookies([...others, mine].join('; ')));
    expect(who).toMatchObject({ status: 'signed-in', user_id: 'user-1' });
  });

  it('sign nobody in', async () => {
    transport.answer = refused(401, 'unauthorized_credentials');
    const who = await asking.authenticateRequest(withCookies(await foreign('token-2')));
    expect(who).toMatchObject({ status: 'signed-out' });
  });

  it('hide no session whose token their JWT does not contain', async () => {
    transport.answer = signedIn('user-1');
    const forged = (await foreign('token-2')).replace('stytch_session=token-2', 'stytch_session=token-1');
    const who = await asking.authenticateRequest(withCookies(forged));
    expect(who).toMatchObject({ status: 'signed-in', user_id: 'user-1', source: 'api' });
  });

  it.each([[[PROJECT_ID, 'project-test-other']], [PROJECT_ID]])('are not those of a JWT for %j', async (aud) => {
    transport.answer = refused(401, 'unauthorized_credentials');
    const mine = pair('token-1', await own.jwt('user-1', [], 'token-1'));
    const cookie = `${mine}; ${await foreign('token-2', aud)}`;
    const who = await alone.authenticateRequest(withCookies(cookie));
    expect(who).not.toMatchObject({ status: 'signed-in' });
  });
});
