import { describe, expect, it, vi } from 'vitest';
import { loginWidget } from '#application/widget/widgets.ts';
import type { FactorState } from '#domain/sessions/second-factor.ts';
import { openLogin } from '../open-widget.ts';
import type { TestWorld } from '../world.ts';
import { ADA, CODES, mfaWorld, RULES, worldWithApp } from './mfa-world.ts';

type OpenWidget = ReturnType<typeof openLogin>;

/** Waits for the screen: the code of the second factor is loaded with the first one. */
async function flowOf({ world, screen }: OpenWidget, at: FactorState['at'] = 'resting'): Promise<FactorState> {
  return vi.waitFor(async () => {
    await world.settle();
    const shown = screen();
    if (shown.name !== 'SecondFactor' || shown.flow.at !== at) throw new Error(JSON.stringify(shown));
    return shown.flow;
  });
}

/** Proves the first factor: a code by email. */
async function first(world: TestWorld, opened = openLogin(CODES, { world })): Promise<OpenWidget> {
  await world.settle();
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await world.settle();
  opened.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
  await flowOf(opened);
  return opened;
}

const finished = (opened: OpenWidget) =>
  vi.waitFor(async () => {
    await opened.world.settle();
    expect(opened.screen().name).toBe('AuthenticateFlowComplete');
  });

describe('a login in a project that requires two factors', () => {
  it('shows the form of the authenticator app in place of its success, and ends with the code', async () => {
    const { world, secret } = await worldWithApp();
    const opened = await first(world);
    expect(await flowOf(opened)).toMatchObject({
      task: { kind: 'totp' },
      step: { factors: ['totp', 'recovery_code'] },
    });
    expect(opened.sessions.state().session).toBeNull();
    expect(opened.heard.map(({ type }) => type)).toEqual(['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE']);
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await finished(opened);
    expect(opened.sessions.state().session?.authentication_factors.map(({ type }) => type)).toEqual(['otp', 'totp']);
    expect(opened.heard.slice(2).map(({ type }) => type)).toEqual([
      'SECOND_FACTOR_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
  });

  it('stays at the form after a wrong code, and at the list of ways until one is chosen', async () => {
    const { world, recovery_codes } = await worldWithApp();
    const opened = await first(world);
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: '000000' } });
    await vi.waitFor(async () =>
      expect(await flowOf(opened)).toMatchObject({ error: { error_type: 'otp_code_not_found' } }),
    );
    opened.store.send({ type: 'factor/opened', task: { kind: 'choice' } });
    expect(await flowOf(opened)).toMatchObject({ task: { kind: 'choice' }, error: null });
    opened.store.send({ type: 'factor/opened', task: { kind: 'recovery_code' } });
    const [code = ''] = recovery_codes;
    opened.store.send({ type: 'factor/asked', request: { kind: 'recovery_code', code } });
    await finished(opened);
  });

  it('sends what was learnt of the first factor from this browser only', async () => {
    const { world, secret } = await worldWithApp();
    const { ports } = await first(world);
    const token = ports.cookies.get('stytch_intermediate_session_token') ?? '';
    const { client } = world.open({ adapters: { storage: world.tab('http://localhost:3000/').storage } });
    const stranger = new (await import('#kit/fake-world.ts')).FakeWorld(world.clock);
    expect(token).not.toBe('');
    const tab = { ...stranger.tab('http://localhost:3000/'), transport: world.transport.forBrowser(stranger.jar) };
    const { PorticoClient } = await import('#composition/client.ts');
    const thief = new PorticoClient('public-token-test-1', { adapters: tab });
    thief.session.updateSession({ intermediate_session_token: token });
    const entered = { totp_code: world.server.totpCode(secret), session_duration_minutes: 60 };
    await expect(thief.totps.authenticate(entered)).rejects.toMatchObject({
      error_type: 'intermediate_session_not_found',
    });
    expect((await client.totps.authenticate(entered)).session).not.toBeNull();
  });

  it('goes on after a reload of the page, until its ten minutes are over', async () => {
    const { world, secret } = await worldWithApp();
    const before = await first(world);
    before.widget.destroy();
    const again = openLogin(CODES, { world, tab: before.ports });
    expect(again.screen()).toMatchObject({ name: 'SecondFactor', flow: { at: 'arriving' } });
    expect(await flowOf(again)).toMatchObject({ task: { kind: 'totp' } });
    await world.clock.advance(600_000);
    again.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await flowOf(again, 'over');
    again.store.send({ type: 'back' });
    expect(again.screen()).toMatchObject({ name: 'Main' });
  });

  it('asks for an app that the project accepts no more, and then offers the enrolment of what it accepts', async () => {
    const { world, secret } = await worldWithApp();
    world.server.settings.mfa = { ...RULES, policy: 'required', factors: ['webauthn', 'sms'] };
    const opened = await first(world);
    expect(await flowOf(opened)).toMatchObject({ task: { kind: 'totp' }, step: { enrol: [] } });
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await vi.waitFor(async () =>
      expect(await flowOf(opened)).toMatchObject({ task: { kind: 'enrolment' }, step: { factors: [] } }),
    );
    expect(opened.sessions.state().session).toBeNull();
    expect(opened.heard.map(({ type }) => type)).not.toContain('AUTHENTICATE_FLOW_COMPLETE');
  });

  it('adds an authenticator app where the project requires a factor and the user has none', async () => {
    const world = mfaWorld({ policy: 'required' });
    const opened = await first(world);
    expect(await flowOf(opened)).toMatchObject({ task: { kind: 'enrolment' }, step: { factors: [] } });
    opened.store.send({ type: 'factor/asked', request: { kind: 'createTotp' } });
    const made = await vi.waitFor(async () => {
      const flow = await flowOf(opened);
      if (!('task' in flow) || flow.task.kind !== 'scan') throw new Error(JSON.stringify(flow));
      return flow.task.totp;
    });
    expect(made.recoveryCodes).toHaveLength(10);
    opened.store.send({ type: 'factor/opened', task: { kind: 'save', totp: made } });
    expect(opened.sessions.state().session).toBeNull();
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(made.secret) } });
    await finished(opened);
    expect(opened.sessions.state().user?.totps).toMatchObject([{ verified: true }]);
  });

  it('begins the recovery of lost factors once, and tells the next login of it', async () => {
    const { world, secret } = await worldWithApp({ recovery_hours: 24 });
    const opened = await first(world);
    opened.store.send({ type: 'factor/opened', task: { kind: 'recovery' } });
    opened.store.send({ type: 'factor/asked', request: { kind: 'startRecovery' } });
    const available_at = new Date(world.clock.now() + 86_400_000).toISOString();
    await vi.waitFor(async () =>
      expect(await flowOf(opened)).toMatchObject({
        task: { kind: 'recovery' },
        step: { recovery_pending: { available_at } },
        error: null,
      }),
    );
    opened.store.send({ type: 'back' });
    await first(world, opened);
    expect(await flowOf(opened)).toMatchObject({
      task: { kind: 'totp' },
      step: { recovery_pending: { available_at } },
    });
    // Until it is finished, the login needs the second factor as before.
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await finished(opened);
  });

  it('stays at the recovery when it is refused, with the error there', async () => {
    const { world } = await worldWithApp({ recovery_hours: 24 });
    const opened = await first(world);
    opened.store.send({ type: 'factor/opened', task: { kind: 'recovery' } });
    world.server.settings.mfa = { ...RULES, recovery_hours: null };
    opened.store.send({ type: 'factor/asked', request: { kind: 'startRecovery' } });
    await vi.waitFor(async () =>
      expect(await flowOf(opened)).toMatchObject({
        task: { kind: 'recovery' },
        step: { recovery_pending: null },
        error: { error_type: 'mfa_factor_not_allowed' },
      }),
    );
  });

  it('needs one factor in a browser that the user trusts', async () => {
    const { world, secret } = await worldWithApp();
    const opened = await first(world);
    opened.store.send({ type: 'factor/trusted', trusts: true });
    opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
    await finished(opened);
    expect(opened.ports.cookies.get('stytch_trusted_device')).not.toBeNull();
    const { devices } = await opened.api.mfa.trustedDevices();
    expect(devices).toHaveLength(1);
    await opened.services.lifecycle.revoke(false);
    opened.widget.destroy();

    const again = openLogin(CODES, { world, tab: opened.ports });
    await world.settle();
    again.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    again.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
    await vi.waitFor(async () => {
      await world.settle();
      expect(again.screen().name).toBe('OTPConfirmation');
    });
  });

  it('leaves today’s login as it is where the policy is off', async () => {
    const world = mfaWorld();
    world.server.settings.mfa = null;
    const opened = openLogin(CODES, { world });
    await world.settle();
    opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
    await world.settle();
    opened.store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
    await world.settle();
    expect(opened.screen().name).toBe('OTPConfirmation');
    const bodies = world.transport.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.filter((body) => body?.includes('mfa'))).toEqual([]);
  });

  it('keeps the login of a second widget of the client at the same step', async () => {
    const { world } = await worldWithApp();
    const opened = await first(world);
    expect(loginWidget(opened.services, { config: CODES, callbacks: {} }).store.getState().screen).toMatchObject({
      name: 'SecondFactor',
    });
  });
});
