import { generateKeyPair, SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier, type VerifierOptions } from '#composition/server.ts';
import { makeProjectSecret } from '#provider/api/backend/credentials.ts';
import { API, PAGE, pagesOf, PROJECT } from '../kit/cookie-pages.ts';
import {
  basic,
  EITHER_DATABASE,
  makeProvider,
  MINUTE,
  PUBLIC_TOKEN,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** What one cookie of a browser holds. */
const TOKENS = ['absent', 'live', 'ended'] as const;
const JWTS = ['absent', 'live', 'expired'] as const;
const TOSSED_TOKENS = [...TOKENS, 'garbage'] as const;
const TOSSED_JWTS = [...JWTS, 'garbage', 'of another key'] as const;
/** How many headers each case has: the tossed cookies first, last, under the other name, and on both sides. */
const ORDERS = 4;
type State = (typeof TOSSED_TOKENS)[number] | (typeof TOSSED_JWTS)[number];

interface SignedInUser {
  readonly user_id: string;
  readonly tokens: Partial<Record<State, string>>;
  /** The JWTs of the session of each token; those of the live one where there is no token. */
  readonly jwts: Partial<Record<State, Partial<Record<State, string>>>>;
}

/**
 * Every pair of cookies of a visitor, together with every pair that a sibling host can add. Nobody who was signed in, or was a
 * moment ago, becomes the attacker.
 */
describe.each(EITHER_DATABASE)('cookies that a sibling host adds, %s', (_, databaseUrl) => {
  let provider: Provider;
  let owner: SignedInUser;
  let attacker: SignedInUser;
  const verifiers: Partial<Record<string, Verifier>> = {};
  const { openPage } = pagesOf(() => provider);

  /** One live session and one that has ended, each with an expired and a live JWT. */
  async function signUp(): Promise<Omit<SignedInUser, 'jwts'> & { readonly refresh: () => Promise<SignedInUser> }> {
    const [kept, ended] = [openPage(), openPage()];
    const email = `${Math.random().toString(36).slice(2)}@example.com`;
    const { data } = await kept.signUp(email);
    await ended.signUp(email);
    const pages = { live: kept, ended };
    const jwtOf = (page: typeof kept) => page.cookie('stytch_session_jwt');
    const expired = { live: jwtOf(kept), ended: jwtOf(ended) };
    const tokens = { live: kept.cookie('stytch_session'), ended: ended.cookie('stytch_session'), garbage: 'garbage' };
    const user_id = String(data['user_id']);
    return {
      user_id,
      tokens,
      async refresh() {
        await kept.authenticate();
        await ended.authenticate();
        const of = (name: 'live' | 'ended') => ({ live: jwtOf(pages[name]), expired: expired[name], garbage: 'a.b.c' });
        const jwts = { live: of('live'), ended: of('ended'), garbage: of('live'), absent: of('live') };
        await ended.send('/sessions/revoke');
        return { user_id, tokens, jwts };
      },
    };
  }

  beforeAll(async () => {
    provider = await makeProvider(databaseUrl, { project: PROJECT, loopback: false, dev: true });
    const people = [await signUp(), await signUp()];
    provider.clock.time += 6 * MINUTE;
    const [first, second] = await Promise.all(people.map(({ refresh }) => refresh()));
    if (first === undefined || second === undefined) throw new Error('nobody signed up');
    owner = first;
    const { privateKey } = await generateKeyPair('RS256');
    const claims = decodeJwt(second.jwts['live']?.['live'] ?? '');
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'other' })
      .sign(privateKey);
    const forgeries = Object.entries(second.jwts).map(([token, jwts]) => [
      token,
      { ...jwts, 'of another key': forged },
    ]);
    attacker = { ...second, jwts: Object.fromEntries(forgeries) as SignedInUser['jwts'] };

    // Nothing changes any more, so each question is put to the provider once.
    const answers = new Map<string, Promise<{ text: string; status: number }>>();
    const { project_id: projectId, public_token: publicToken } = provider.services.project;
    const make = (options: Partial<VerifierOptions>): Verifier =>
      createVerifier({
        projectId,
        apiUrl: 'https://api.example.com',
        adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
        async fetch(url, init) {
          const key = JSON.stringify([url, init.body, init.headers]);
          const asked =
            answers.get(key) ??
            (async () => {
              const reply = await provider.app.request(url, init);
              return { text: await reply.text(), status: reply.status };
            })();
          answers.set(key, asked);
          const { text, status } = await asked;
          return new Response(text, { status, headers: { 'content-type': 'application/json' } });
        },
        ...options,
      });
    verifiers['public token'] = make({ publicToken });
    const { secret } = await makeProjectSecret(provider.services, 'app');
    verifiers['secret'] = make({ secret });
    verifiers['neither'] = make({});
  });
  afterAll(() => provider.close());

  const cookies = ({ tokens, jwts }: SignedInUser, token: State, jwt: State): readonly string[] =>
    Object.entries({ stytch_session: tokens[token], stytch_session_jwt: jwts[token]?.[jwt] }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );

  interface Case {
    readonly name: string;
    readonly header: string;
    /** Whether the owner's own cookies name a user at all, by a live token or a JWT that the project signed. */
    readonly hasOwner: boolean;
    readonly token: State;
    readonly jwt: State;
    readonly tossedToken: State;
    readonly tossedJwt: State;
  }

  const cases = (): readonly Case[] =>
    TOKENS.flatMap((token) =>
      JWTS.flatMap((jwt) =>
        TOSSED_TOKENS.flatMap((tossedToken) =>
          TOSSED_JWTS.flatMap((tossedJwt) => {
            const own = cookies(owner, token, jwt);
            const tossed = cookies(attacker, tossedToken, tossedJwt);
            const name = `own token ${token}, own JWT ${jwt}, tossed token ${tossedToken}, tossed JWT ${tossedJwt}`;
            const facts = { token, jwt, tossedToken, tossedJwt };
            const hasOwner = token === 'live' || jwt !== 'absent';
            const [before, after] = [
              [...tossed, ...own],
              [...own, ...tossed],
            ];
            // Names do not matter: a host may keep either secret under either name.
            const renamed = tossed.map((cookie) => cookie.replace(/^[^=]*/u, 'stytch_session'));
            return [before, after, [...renamed, ...own], [...tossed, ...own, ...tossed]].map((all, at) => {
              return { name: `${name}, order ${at}`, header: all.join('; '), hasOwner, ...facts };
            });
          }),
        ),
      ),
    );

  it.each(oneOf(3, ['secret', 'public token', 'neither']))(
    'make nobody another user for an app’s server with %s',
    async (kind) => {
      const verifier = verifiers[kind];
      if (verifier === undefined) throw new Error(kind);
      for (const fresh of kind === 'neither' ? [false] : [false, true]) {
        for (const one of cases()) {
          const request = new Request(PAGE, { headers: { cookie: one.header } });
          const who = await verifier.authenticateRequest(request, fresh ? { fresh } : {});
          const found = who.status === 'signed-in' ? who.user_id : who.status;
          // The API is asked only so often about the key of a JWT that comes alone.
          const isAlone = kind === 'neither' || [one.token, one.tossedToken].every((token) => token === 'absent');
          const isUnknown = isAlone && [one.jwt, one.tossedJwt].includes('of another key');
          const expected = [owner.user_id, 'signed-out', ...(isUnknown ? ['unavailable'] : [])];
          if (one.hasOwner) expect(expected, `${one.name}, fresh ${fresh}`).toContain(found);
          // What nobody of ours signed disturbs nobody.
          const isWorthless = one.tossedToken === 'absent' && !['live', 'expired'].includes(one.tossedJwt);
          const isIn = one.token === 'live' ? kind !== 'neither' || one.jwt === 'live' : one.jwt === 'live' && !fresh;
          if (isWorthless && isIn) expect(found, one.name).toBe(owner.user_id);
        }
      }
    },
  );

  // Each seventh: another number than the lengths of the lists, so that each value is played.
  soakIt('do not change the user for the provider, which reads them itself', async () => {
    for (const one of cases().filter((_one, at) => SOAK || at % (7 * ORDERS) === 0)) {
      const reply = await provider.app.request(`${API}/users/me`, {
        headers: { origin: PAGE, cookie: one.header, authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN) },
      });
      const data = ((await reply.json()) as Fields)['data'] as Fields | undefined;
      const found = data?.['user_id'] ?? 'nobody';
      if (one.hasOwner) expect([owner.user_id, 'nobody'], one.name).toContain(found);
      const isWorthless = one.tossedToken !== 'live' && !['live', 'expired'].includes(one.tossedJwt);
      if (isWorthless && one.token === 'live') expect(found, one.name).toBe(owner.user_id);
    }
  });

  it('are too many from the fourth on, of either kind', async () => {
    const own = cookies(owner, 'live', 'live');
    for (const [name, value] of [
      ['stytch_session', (at: number) => `garbage-${at}`],
      ['stytch_session_jwt', (at: number) => `a.b.${at}`],
    ] as const) {
      const many = [0, 1, 2, 3].map((at) => `${name}=${value(at)}`);
      const cookie = [...many, ...own].join('; ');
      const who = await verifiers['public token']?.authenticateRequest(new Request(PAGE, { headers: { cookie } }));
      expect(who).toEqual({ status: 'signed-out', reason: 'ambiguous' });
      const headers = { origin: PAGE, cookie, authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN) };
      const reply = await provider.app.request(`${API}/users/me`, { headers });
      expect(reply.status).toBe(401);
      expect(reply.headers.getSetCookie().join('\n')).toContain(`${name}=; Max-Age=0`);
    }
  });
});
