import { describe, expect, it } from 'vitest';
import '#application/use-cases/passkeys/passkey-extensions.ts';
import '#application/use-cases/passkeys/passkey-creation.ts';
import { webauthn } from '#application/api/index.ts';
import { TestWorld } from './world.ts';

const HOUR = { session_duration_minutes: 60 };
const SALT = Uint8Array.from({ length: 32 }, (_, index) => index);
const TEXT = Buffer.from(SALT).toString('base64url');
const prf = (first: unknown, second?: unknown) => ({ prf: { eval: { first, second } } }) as never;
const hex = (bytes: ArrayBuffer | undefined) => Buffer.from(bytes ?? new ArrayBuffer(0)).toString('hex');

async function open() {
  const world = new TestWorld();
  const { client, tab } = world.open();
  await world.signIn(client);
  /** Everything that the client has sent of credentials. */
  const sent = () =>
    [webauthn.register, webauthn.authenticate].flatMap((endpoint) =>
      world.transport.requestsTo(endpoint).map(({ body }) => JSON.stringify(body)),
    );
  return { world, client, tab, sent };
}

/** Each text in which the bytes could be sent. */
const spellings = (bytes: ArrayBuffer): readonly string[] =>
  (['base64url', 'base64', 'hex', 'latin1'] as const)
    .map((encoding) => Buffer.from(bytes).toString(encoding))
    .concat(JSON.stringify([...new Uint8Array(bytes)]).slice(1, -1));

describe('the secrets that a passkey derives (prf)', () => {
  it('are the caller’s, as buffers, the same for the same value and passkey, and are never sent', async () => {
    const { client, sent } = await open();
    const made = await client.webauthn.register({ is_passkey: true, extensions: prf(SALT) });
    const used = await client.webauthn.authenticate({ is_passkey: true, ...HOUR, extensions: prf(TEXT, SALT.buffer) });
    const [first, again] = [made.client_extension_results, used?.client_extension_results];
    expect([first?.prf?.enabled, first?.prf?.results?.first.byteLength, first?.prf?.results?.second]).toEqual([
      true,
      32,
      undefined,
    ]);
    const { results } = again?.prf ?? {};
    expect(hex(results?.first)).toBe(hex(first?.prf?.results?.first));
    expect(hex(results?.second)).toBe(hex(results?.first));
    const other = await client.webauthn.authenticate({ ...HOUR, extensions: prf(Uint8Array.of(1)) });
    const secrets = [results?.first, other?.client_extension_results?.prf?.results?.first];
    expect(new Set(secrets.map(hex)).size).toBe(2);
    expect(sent()).toHaveLength(3);
    for (const secret of secrets) {
      for (const text of spellings(secret ?? new ArrayBuffer(1))) expect(sent().join('\n')).not.toContain(text);
    }
  });

  it('are never sent, though the options of the server ask for them and the caller does not', async () => {
    const { client, tab, sent } = await open();
    const create = tab.webauthn.create.bind(tab.webauthn);
    const get = tab.webauthn.get.bind(tab.webauthn);
    const asking = (json: string) =>
      JSON.stringify({ ...(JSON.parse(json) as object), extensions: { prf: { eval: { first: TEXT } } } });
    const secrets: string[] = [];
    const keep = (json: string): string => {
      const { clientExtensionResults } = JSON.parse(json) as {
        clientExtensionResults: { prf: { results: { first: string } } };
      };
      secrets.push(clientExtensionResults.prf.results.first);
      return json;
    };
    tab.webauthn.create = async (json, signal, mediation) => keep(await create(asking(json), signal, mediation));
    tab.webauthn.get = async (json, mediation, signal) => keep(await get(asking(json), mediation, signal));
    tab.webauthn.capabilities.add('conditionalCreate');
    expect(await client.webauthn.register({ is_passkey: true })).not.toHaveProperty('client_extension_results');
    await client.webauthn.authenticate({ is_passkey: true, ...HOUR });
    tab.webauthn.authenticator.clear();
    await client.webauthn.register({ conditional_mediation: true });
    expect([secrets.length, sent().length]).toEqual([3, 3]);
    for (const secret of secrets) expect(sent().join('\n')).not.toContain(secret);
  });

  it('reports only whether the passkey can, without a value', async () => {
    const { client } = await open();
    const made = await client.webauthn.register({ is_passkey: true, extensions: { prf: {} } });
    expect(made.client_extension_results).toEqual({ prf: { enabled: true } });
  });

  it.each([
    ['extensions', 'prf'],
    ['extensions', [1]],
    ['extensions.credProps', { credProps: true }],
    ['extensions.prf', { prf: true }],
    ['extensions.prf.evalByCredential', { prf: { evalByCredential: {} } }],
    ['extensions.prf.eval', { prf: { eval: 'AAAA' } }],
    ['extensions.prf.eval.first', { prf: { eval: {} } }],
    ['extensions.prf.eval.first', prf('')],
    ['extensions.prf.eval.first', prf('not base64!')],
    ['extensions.prf.eval.first', prf(new ArrayBuffer(0))],
    ['extensions.prf.eval.first', prf(new Uint8Array(2_000))],
    ['extensions.prf.eval.first', prf({ length: 3 })],
    ['extensions.prf.eval.second', prf(TEXT, 7)],
    ['extensions.prf.eval.third', { prf: { eval: { first: TEXT, third: TEXT } } }],
  ])('names the wrong field, %s, before anything is sent', async (field, extensions) => {
    const { world, client, tab } = await open();
    const calls = [
      client.webauthn.register({ extensions: extensions as never }),
      client.webauthn.authenticate({ ...HOUR, extensions: extensions as never }),
    ];
    for (const call of calls) {
      const error = await call.then(
        () => null,
        (thrown: Error) => thrown,
      );
      expect(error).toMatchObject({ name: 'SDKUsageError', message: expect.stringContaining(`${field} `) });
    }
    expect(world.transport.requestsTo(webauthn.registerStart)).toEqual([]);
    expect(tab.webauthn.ceremonies).toEqual([]);
  });
});
