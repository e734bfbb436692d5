import type { WebauthnPort } from '#application/ports/index.ts';
import type { UserNames } from '#domain/passkeys/user-names.ts';
import { rejectionOf, suite, type Disposable, type TestRunner } from './runner.ts';

export interface WebauthnHarness extends Disposable {
  readonly webauthn: WebauthnPort;
  /** The same page's passkeys, as a second client of it has them. */
  readonly again: WebauthnPort;
  /** The port in a browser without passkeys. */
  readonly unsupported: WebauthnPort;
  /** The page's host name. */
  readonly rpId: string;
  /** The person hesitates from now on. */
  readonly hold: () => void | Promise<void>;
  /** The person is not let through from now on: the browser's error is a `NotAllowedError`. */
  readonly refuse: () => void | Promise<void>;
  /** How many passkeys there are. */
  readonly count: () => number | Promise<number>;
  /** The names of users that are kept with the passkeys. */
  readonly names: () => readonly UserNames[] | Promise<readonly UserNames[]>;
  /** Puts an input into the page; in a shadow root within a shadow root when `deep`. */
  readonly showInput: (autocomplete: string, deep: boolean) => void;
}

/** 32 bytes whose base64 has both letters that base64url has not. */
const CHALLENGE = `-_${'A-_b'.repeat(10)}8`;
const plain = (text: string): string => {
  const letters = text.replaceAll('-', '+').replaceAll('_', '/');
  return letters.padEnd(Math.ceil(letters.length / 4) * 4, '=');
};

const BASE64URL = /^[\w-]+$/u;
const USER_ID = 'dXNlci10ZXN0LTE';

const creation = (rpId: string, changes: object = {}): Record<string, unknown> => ({
  rp: { id: rpId, name: 'A project' },
  user: { id: USER_ID, name: 'ada@example.com', displayName: 'Ada' },
  challenge: CHALLENGE,
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 60_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
  extensions: { credProps: true },
  ...changes,
});

const request = (rpId: string, changes: object = {}): Record<string, unknown> => ({
  challenge: CHALLENGE,
  rpId,
  userVerification: 'required',
  ...changes,
});

interface CredentialJson {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly clientExtensionResults: unknown;
  readonly response: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const read = (json: string): CredentialJson => JSON.parse(json) as CredentialJson;

function clientData({ response }: CredentialJson): Record<string, unknown> {
  const text = atob(plain(String(response['clientDataJSON'])));
  return JSON.parse(text) as Record<string, unknown>;
}

const nameOf = async (promise: Promise<unknown>): Promise<string | undefined> =>
  ((await rejectionOf(promise)) as Error | undefined)?.name;

/** What begins a ceremony has begun by then. */
const moment = async (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));

/** The contract of WebauthnPort. */
export function webauthnContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => WebauthnHarness | Promise<WebauthnHarness>,
): void {
  const { expect } = runner;
  const create = async ({ webauthn, rpId }: WebauthnHarness, changes: object = {}): Promise<CredentialJson> =>
    read(await webauthn.create(JSON.stringify(creation(rpId, changes))));

  suite(runner, `WebauthnPort: ${name}`, makeHarness, (test) => {
    test('creates a passkey: JSON to JSON, its binary fields base64url', async (harness) => {
      const made = await create(harness);
      expect([made.type, made.rawId, typeof made.clientExtensionResults]).toEqual(['public-key', made.id, 'object']);
      for (const field of [made.id, made.response['clientDataJSON'], made.response['attestationObject']]) {
        expect(BASE64URL.test(String(field))).toBe(true);
      }
      expect(Array.isArray(made.response['transports'])).toBe(true);
      const { type, challenge } = clientData(made);
      expect([type, challenge]).toEqual(['webauthn.create', CHALLENGE]);
      expect(await harness.count()).toBe(1);
    });

    for (const mediation of ['modal', 'conditional'] as const) {
      test(`asks for a passkey, ${mediation}: JSON to JSON, its binary fields base64url`, async (harness) => {
        const made = await create(harness);
        const got = read(await harness.webauthn.get(JSON.stringify(request(harness.rpId)), mediation));
        expect([got.type, got.id, got.rawId]).toEqual(['public-key', made.id, made.id]);
        expect(got.response['userHandle']).toBe(USER_ID);
        for (const field of ['clientDataJSON', 'authenticatorData', 'signature']) {
          expect(BASE64URL.test(String(got.response[field]))).toBe(true);
        }
        const { type, challenge } = clientData(got);
        expect([type, challenge]).toEqual(['webauthn.get', CHALLENGE]);
      });
    }

    test('understands plain base64 in options', async (harness) => {
      const user = { id: plain(USER_ID), name: 'ada@example.com', displayName: 'Ada' };
      const made = await create(harness, { challenge: plain(CHALLENGE), user });
      expect(clientData(made)['challenge']).toBe(CHALLENGE);
      const allowCredentials = [{ type: 'public-key', id: plain(made.id), transports: ['internal'] }];
      const options = request(harness.rpId, { challenge: plain(CHALLENGE), allowCredentials });
      const got = read(await harness.webauthn.get(JSON.stringify(options), 'modal'));
      expect([got.id, clientData(got)['challenge']]).toEqual([made.id, CHALLENGE]);
    });

    test('understands options with no more than what they need, and null for none', async (harness) => {
      const { rp, user, challenge, pubKeyCredParams } = creation(harness.rpId) as Record<string, object>;
      await harness.webauthn.create(JSON.stringify({ rp, user, challenge, pubKeyCredParams, timeout: null }));
      expect(await harness.count()).toBe(1);
    });

    test('rejects with what the browser rejects with', async (harness) => {
      const { id } = await create(harness);
      const again = create(harness, { excludeCredentials: [{ type: 'public-key', id }] });
      expect(await nameOf(again)).toBe('InvalidStateError');
      await harness.refuse();
      expect(await nameOf(harness.webauthn.get(JSON.stringify(request(harness.rpId)), 'modal'))).toBe(
        'NotAllowedError',
      );
    });

    for (const mediation of ['modal', 'conditional'] as const) {
      test(`aborts a ceremony that is under way, ${mediation}, when another begins in the page`, async (harness) => {
        await create(harness);
        await harness.hold();
        const options = JSON.stringify(request(harness.rpId));
        const first = nameOf(harness.webauthn.get(options, mediation));
        await moment();
        const abort = new AbortController();
        const second = nameOf(harness.again.get(options, 'modal', abort.signal));
        expect(await first).toBe('AbortError');
        await moment();
        abort.abort();
        expect(await second).toBe('AbortError');
      });
    }

    test('lets a ceremony succeed after one that was aborted', async (harness) => {
      await create(harness);
      const options = JSON.stringify(request(harness.rpId));
      const first = rejectionOf(harness.webauthn.get(options, 'conditional'));
      const second = await harness.again.get(options, 'modal');
      expect(read(second).type).toBe('public-key');
      await first;
    });

    test('rejects with an AbortError when the signal is aborted, under way or before', async (harness) => {
      await harness.hold();
      const abort = new AbortController();
      const begun = nameOf(harness.webauthn.create(JSON.stringify(creation(harness.rpId)), abort.signal));
      await moment();
      abort.abort(new Error('a reason of the caller’s own'));
      expect(await begun).toBe('AbortError');
      const never = harness.webauthn.create(JSON.stringify(creation(harness.rpId)), abort.signal);
      expect(await nameOf(never)).toBe('AbortError');
      expect(await harness.count()).toBe(0);
    });

    test('rejects options that are no options with a TypeError', async (harness) => {
      const { webauthn, rpId } = harness;
      const user = { id: USER_ID, name: 'n', displayName: 'd' };
      const wrongChanges: readonly object[] = [
        { challenge: null },
        { challenge: 7 },
        { challenge: '' },
        { challenge: 'not base64!' },
        { challenge: 'A'.repeat(10_000_000) },
        { challenge: 'A'.repeat(5_000) },
        { rp: null },
        { rp: 'localhost' },
        { rp: { id: 7, name: 'n' } },
        { user: { ...user, id: 'A'.repeat(100) } },
        { user: { ...user, name: null } },
        { pubKeyCredParams: {} },
        { pubKeyCredParams: [{ type: 'public-key', alg: 'ES256' }] },
        { timeout: '60000' },
        { timeout: -1 },
        { excludeCredentials: 'none' },
        { excludeCredentials: [null] },
        { excludeCredentials: [{ type: 'public-key' }] },
        { authenticatorSelection: [] },
        { authenticatorSelection: { requireResidentKey: 'yes' } },
        { hints: [1] },
        { attestation: {} },
        { extensions: 'credProps' },
      ];
      for (const changes of wrongChanges) {
        expect(await nameOf(webauthn.create(JSON.stringify(creation(rpId, changes))))).toBe('TypeError');
      }
      for (const changes of [{ challenge: 1 }, { rpId: {} }, { allowCredentials: [{ id: 1, type: 'public-key' }] }]) {
        expect(await nameOf(webauthn.get(JSON.stringify(request(rpId, changes)), 'modal'))).toBe('TypeError');
      }
      for (const text of ['', 'null', '[]', '"text"', '7', '{}', '{"publicKey"', 'x'.repeat(100_000)]) {
        expect(await nameOf(webauthn.create(text))).toBe('TypeError');
        expect(await nameOf(webauthn.get(text, 'modal'))).toBe('TypeError');
      }
      expect(await harness.count()).toBe(0);
    });

    test('without support, answers false and rejects with a NotSupportedError', async ({ unsupported, rpId }) => {
      expect(await unsupported.supportsAutofill()).toBe(false);
      expect(await unsupported.isCapable('conditionalCreate')).toBe(false);
      const names = [
        await nameOf(unsupported.create(JSON.stringify(creation(rpId)))),
        await nameOf(unsupported.get(JSON.stringify(request(rpId)), 'modal')),
        await nameOf(unsupported.get(JSON.stringify(request(rpId)), 'conditional')),
      ];
      expect(names).toEqual(['NotSupportedError', 'NotSupportedError', 'NotSupportedError']);
    });

    test('reports where a passkey can be made', async ({ webauthn, unsupported }) => {
      expect([await webauthn.creation(), await unsupported.creation()]).toEqual(['here', 'none']);
    });

    test('lets go of a passkey that the site does not know, and of no other', async (harness) => {
      const { webauthn, unsupported, rpId, count } = harness;
      const { id } = await create(harness);
      await webauthn.signalUnknown(rpId, CHALLENGE);
      await unsupported.signalUnknown(rpId, id);
      expect(await count()).toBe(1);
      await webauthn.signalUnknown(rpId, id);
      expect(await count()).toBe(0);
    });

    test('lets go of a user’s passkeys that the site accepts no more', async (harness) => {
      const { webauthn, unsupported, rpId, count } = harness;
      const { id } = await create(harness);
      await webauthn.signalAccepted(rpId, USER_ID, [id]);
      await webauthn.signalAccepted(rpId, CHALLENGE, []);
      await unsupported.signalAccepted(rpId, USER_ID, []);
      expect(await count()).toBe(1);
      await webauthn.signalAccepted(rpId, USER_ID, []);
      expect(await count()).toBe(0);
    });

    test('replaces the names that are shown with a user’s passkeys', async (harness) => {
      const { webauthn, unsupported, rpId, names } = harness;
      await create(harness);
      const before = { name: 'ada@example.com', displayName: 'Ada' };
      const now = { name: 'ada@new.example', displayName: 'Ada Lovelace' };
      await webauthn.signalDetails(rpId, CHALLENGE, now);
      await unsupported.signalDetails(rpId, USER_ID, now);
      expect(await names()).toEqual([before]);
      await webauthn.signalDetails(rpId, USER_ID, now);
      expect(await names()).toEqual([now]);
    });

    test('never rejects a signal, not even one that makes no sense', async ({ webauthn }) => {
      await webauthn.signalUnknown('elsewhere.example', 'not base64!');
      await webauthn.signalAccepted('', '', ['not base64!']);
      await webauthn.signalDetails('', 'not base64!', { name: '', displayName: '' });
      expect(await webauthn.creation()).toBe('here');
    });

    test('reports whether passkeys can be offered while a form is filled in', async ({ webauthn }) => {
      expect(await webauthn.supportsAutofill()).toBe(true);
    });

    test('finds an input that asks for passkeys with its last word', async ({ webauthn, showInput }) => {
      for (const autocomplete of ['', 'username', 'webauthn username', 'webauthnx', 'my-webauthn']) {
        showInput(autocomplete, false);
        expect(await webauthn.hasAutofillInput()).toBe(false);
      }
      showInput('section-a username WebAuthn ', false);
      expect(await webauthn.hasAutofillInput()).toBe(true);
    });

    test('finds it in shadow roots too', async ({ webauthn, showInput }) => {
      showInput('username', true);
      expect(await webauthn.hasAutofillInput()).toBe(false);
      showInput('username webauthn', true);
      expect(await webauthn.hasAutofillInput()).toBe(true);
    });
  });
}
